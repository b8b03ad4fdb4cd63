// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images of boxes under the ops that see only floats: the reference on intervals, piece by monotone piece, and the
// row's accuracy rule around it. A box has no zeros or infinities, which the tables of special values cover.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "absl/container/inlined_vector.h"
#include "oracle/number.h"
#include "oracle/set_box.h"
#include "oracle/set_range.h"

namespace tosaic {
namespace {

constexpr double kPi = 3.14159265358979323846;

const Accuracy& RuleOf(const Box& box) { return AccuracyOf(box.in.op, box.result_type(), box.in.policies); }

AllowedSet Nan(const Box& box) {
  AllowedSet set(box.result_type());
  set.AddNan();
  return set;
}

uint64_t HullWidth(const AllowedSet& set) {
  if (set.spans().empty()) return 0;
  return OrdinalSpan{set.spans().front().first, set.spans().back().last}.Width();
}

// A rule's bound is the bound of the farthest reference and operand, so the images of a box's parts together are
// tighter than its own.
template <typename Image>
class Parts {
 public:
  Parts(const Box& box, Image image) : image_(image), parts_{{box, image(box)}} {}

  AllowedSet Union() {
    CutWidest();
    CutEnd(End::kLeast);
    CutEnd(End::kGreatest);
    AllowedSet all(parts_[0].box.result_type());
    for (const Part& part : parts_) all.Unite(part.set);
    return all;
  }

 private:
  static constexpr int kCuts = 8;     // where images span powers of two
  static constexpr int kEndCuts = 4;  // at each end of the union

  struct Part {
    Box box;
    AllowedSet set;
  };

  // Parts whose images span powers of two.
  void CutWidest() {
    const uint64_t narrow = LeastNormalOrdinal(parts_[0].box.result_type());
    for (int cut = 0; cut < kCuts; ++cut) {
      const auto is_narrower = [](const Part& a, const Part& b) { return HullWidth(a.set) < HullWidth(b.set); };
      Part& widest = *std::max_element(parts_.begin(), parts_.end(), is_narrower);
      if (HullWidth(widest.set) <= narrow || !Cut(widest)) break;
    }
  }

  enum class End { kLeast, kGreatest };

  // The less, the farther a part reaches to that end.
  static int64_t Reach(const Part& part, End end) {
    const auto spans = part.set.spans();
    if (spans.empty()) return std::numeric_limits<int64_t>::max();
    return end == End::kLeast ? spans.front().first : -spans.back().last;
  }

  // The part that reaches farthest, as long as its halves reach less far.
  void CutEnd(End end) {
    for (int cut = 0; cut < kEndCuts; ++cut) {
      const auto is_farther = [&](const Part& a, const Part& b) { return Reach(a, end) < Reach(b, end); };
      const auto farthest = std::min_element(parts_.begin(), parts_.end(), is_farther);
      const int64_t reach = Reach(*farthest, end);
      const auto index = static_cast<size_t>(farthest - parts_.begin());
      if (!Cut(parts_[index])) return;
      if (std::min(Reach(parts_[index], end), Reach(parts_.back(), end)) == reach) return;
    }
  }

  // Into halves of the wider operand; false if it has no wide one. The upper half is the last part then.
  bool Cut(Part& part) {
    const size_t operand = part.box.spans[1].Width() > part.box.spans[0].Width() ? 1 : 0;
    const OrdinalSpan all = part.box.spans[operand];
    if (all.IsPoint()) return false;
    Box upper = part.box;
    const auto stride = static_cast<uint64_t>(all.stride);
    const int64_t middle = all.first + static_cast<int64_t>(all.Width() / 2 / stride * stride);
    part.box.spans[operand].last = middle;
    upper.spans[operand].first = middle + all.stride;
    part.set = image_(part.box);
    parts_.push_back({upper, image_(upper)});
    return true;
  }

  Image image_;
  absl::InlinedVector<Part, kCuts + 2 * kEndCuts + 1> parts_;
};

// A unary op by its formula on intervals.
template <typename Formula>
AllowedSet ByRule(const Box& box, Formula formula) {
  const auto image = [&](const Box& part) {
    const Interval x = part.Values(0);
    return WithinRuleOf(RuleOf(part), part.result_type(), formula(x), x, 0.0);
  };
  return Parts(box, image).Union();
}

// Floor and ceil: the integers between the results of both ends, one by one if there are few.
AllowedSet Integers(const Box& box, const Interval& integers) {
  constexpr int kFew = 4;
  const double ulps = RuleOf(box).ulp;
  constexpr double kHasNoHalves = 0x1p52;  // and counting up by 1 fails not far beyond
  const bool is_large = std::max(-integers.lo(), integers.hi()) >= kHasNoHalves;
  if (is_large || !(integers.hi() - integers.lo() < kFew)) return WithinUlps(box.result_type(), integers, ulps);
  AllowedSet set(box.result_type());
  for (double integer = integers.lo(); integer <= integers.hi(); ++integer) {
    set.Unite(WithinUlps(box.result_type(), integer, ulps));
  }
  return set;
}

Interval HullOf(const Interval& a, const Interval& b) { return {std::min(a.lo(), b.lo()), std::max(a.hi(), b.hi())}; }

// Whether `offset` plus a multiple of two pi may be in x; false means that it surely is not. The error of the quotient
// of doubles is less than the margin.
bool MayMeet(const Interval& x, double offset) {
  constexpr double kMargin = 1e-6;
  const double first = std::ceil((x.lo() - offset) / (2 * kPi) - kMargin);
  return first <= (x.hi() - offset) / (2 * kPi) + kMargin;
}

// Sine or cosine, with a greatest value at `greatest_at`.
Interval Periodic(const Interval& x, Interval (*function)(const Interval&), double greatest_at) {
  constexpr double kPreciseUpTo = 0x1p24;
  if (x.IsPoint()) return function(x);
  const bool is_narrow = std::max(-x.lo(), x.hi()) <= kPreciseUpTo && x.hi() - x.lo() < 2 * kPi;
  if (!is_narrow) return {-1, 1};
  const Interval ends = HullOf(function(x.lo()), function(x.hi()));
  return {MayMeet(x, greatest_at + kPi) ? -1 : ends.lo(), MayMeet(x, greatest_at) ? 1 : ends.hi()};
}

}  // namespace

AllowedSet ImageCeil(const Box& box) { return Integers(box, Ceil(box.Values(0))); }
AllowedSet ImageFloor(const Box& box) { return Integers(box, Floor(box.Values(0))); }

AllowedSet ImageSin(const Box& box) {
  return ByRule(box, [](const Interval& x) { return Periodic(x, &Sin, kPi / 2); });
}

AllowedSet ImageCos(const Box& box) {
  return ByRule(box, [](const Interval& x) { return Periodic(x, &Cos, 0); });
}

AllowedSet ImageTanh(const Box& box) {
  return ByRule(box, [](const Interval& x) { return Tanh(x); });
}

AllowedSet ImageErf(const Box& box) {
  return ByRule(box, [](const Interval& x) { return HullOf(Erf(Interval(x.lo())), Erf(Interval(x.hi()))); });
}

AllowedSet ImageExp(const Box& box) {
  return ByRule(box, [](const Interval& x) { return Exp(x); });
}

AllowedSet ImageLog(const Box& box) {
  if (box.Least(0) < 0) return Nan(box);
  return ByRule(box, [](const Interval& x) { return Log(x); });
}

AllowedSet ImageReciprocal(const Box& box) {
  return ByRule(box, [](const Interval& x) { return 1.0 / x; });
}

AllowedSet ImageRsqrt(const Box& box) {
  if (box.Least(0) < 0) return Nan(box);
  return ByRule(box, [](const Interval& x) { return 1.0 / Sqrt(x); });
}

AllowedSet ImageSigmoid(const Box& box) {
  return ByRule(box, [](const Interval& x) { return 1.0 / (1.0 + Exp(-x)); });
}

// It is undefined if x is negative or if x or y is infinite, which the first element of the box shows. If x is 0, y is
// positive and the result is 0; if y is 0, the result is 1.
AllowedSet ImagePow(const Box& box) {
  const bool special = box.Least(0) == 0 || (box.Least(1) == 0 && box.Greatest(1) == 0);
  if (special) return AllowedSet::OfExpected(box.result_type(), box.AtFirst());
  const auto image = [](const Box& part) {
    const Interval x = part.Values(0), y = part.Values(1);
    return WithinRuleOf(RuleOf(part), part.result_type(), Pow(x, y), x, y);
  };
  return Parts(box, image).Union();
}

}  // namespace tosaic
