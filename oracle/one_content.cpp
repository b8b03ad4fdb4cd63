// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/one_content.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "model/tensor.h"
#include "oracle/compare.h"

namespace tosaic {
namespace {

// Images of one element of a hidden value, and of all elements of a run. An image takes some microseconds.
constexpr int64_t kMostImagesOfElement = 1000;
constexpr int64_t kMostImages = 5000;

// An element of a returned result.
struct Reader {
  size_t op;
  size_t element;
};
using Readers = absl::InlinedVector<Reader, 4>;

// The two halves of a set with several members, or nothing of one with a single member.
std::vector<AllowedSet> HalvesOf(const AllowedSet& set) {
  std::vector<AllowedSet> parts;
  const absl::Span<const OrdinalSpan> spans = set.spans();
  for (const OrdinalSpan span : spans) {
    if (spans.size() > 1 || set.has_nan()) {
      parts.push_back(AllowedSet::OfSpan(set.type(), span));
      continue;
    }
    if (span.IsPoint()) break;
    const uint64_t half = span.Width() / 2 / static_cast<uint64_t>(span.stride) * static_cast<uint64_t>(span.stride);
    const int64_t middle = span.first + static_cast<int64_t>(half);
    parts.push_back(AllowedSet::OfSpan(set.type(), {span.first, middle, span.stride}));
    parts.push_back(AllowedSet::OfSpan(set.type(), {middle + span.stride, span.last, span.stride}));
  }
  if (set.has_nan() && !spans.empty()) {
    parts.emplace_back(set.type());
    parts.back().AddNan();
  }
  return parts;
}

// The search for a value of one element that explains some results.
class Search {
 public:
  enum class End : uint8_t { kExplained, kNone, kOpen };

  Search(size_t op, size_t element, Readers readers, RunSets* sets)
      : given_{op, element, sets->UsersOf(op), AllowedSet(sets->Allowed(op, element))},
        readers_(std::move(readers)),
        whole_(given_.set),
        sets_(sets) {}

  End Find() {
    for (const uint64_t bits : Guesses()) {
      if (whole_.Contains(bits) && Explains(AllowedSet::OfBits(whole_.type(), bits))) return End::kExplained;
    }
    std::vector<AllowedSet> open = {whole_};
    while (!open.empty()) {
      const AllowedSet part = std::move(open.back());
      open.pop_back();
      std::vector<AllowedSet> halves = HalvesOf(part);
      if (halves.empty()) return End::kExplained;
      for (AllowedSet& half : halves) {
        if (images_ >= kMostImagesOfElement) return End::kOpen;
        if (Explains(half)) open.push_back(std::move(half));
      }
    }
    return End::kNone;
  }

  // The part of the set that may explain the results. A superset of it once the budget (kMostImagesOfElement) is spent.
  AllowedSet Rest() {
    if (readers_.empty()) return whole_;
    AllowedSet rest(whole_.type());
    std::vector<AllowedSet> open = {whole_};
    while (!open.empty()) {
      const AllowedSet part = std::move(open.back());
      open.pop_back();
      if (!Explains(part)) continue;
      const bool goes_on = images_ < kMostImagesOfElement;
      std::vector<AllowedSet> halves = goes_on ? HalvesOf(part) : std::vector<AllowedSet>();
      if (halves.empty()) rest.Unite(part);
      for (AllowedSet& half : halves) open.push_back(std::move(half));
    }
    return rest;
  }

  int64_t images() const { return images_; }

 private:
  // Values that often explain all results: those that a result of the same type shows, and the middle of the set.
  absl::InlinedVector<uint64_t, 12> Guesses() const {
    const ElementType type = whole_.type();
    absl::InlinedVector<uint64_t, 12> guesses;
    for (const Reader reader : readers_) {
      const Tensor& tensor = *sets_->known(reader.op);
      if (tensor.element_type() != type || guesses.size() >= 6) continue;
      guesses.push_back(tensor.Bits(reader.element));
      if (IsFloat(type)) guesses.push_back(tensor.Bits(reader.element) ^ SignMask(type));
    }
    if (whole_.spans().empty()) return guesses;
    const OrdinalSpan hull = {whole_.spans().front().first, whole_.spans().back().last};
    const int64_t middle = hull.first + static_cast<int64_t>(hull.Width() / 2);
    for (const int64_t beside : {0, 1, -1}) {
      if (hull.Width() > 2) guesses.push_back(BitsOfOrdinal(type, middle + beside));
    }
    return guesses;
  }

  bool Explains(const AllowedSet& part) {
    given_.set = part;
    return std::all_of(readers_.begin(), readers_.end(), [&](Reader reader) {
      ++images_;
      const uint64_t bits = sets_->known(reader.op)->RawBits(reader.element);
      return sets_->AllowedIf(given_, reader.op, reader.element).Contains(bits);
    });
  }

  RunSets::Given given_;
  Readers readers_;
  AllowedSet whole_;
  RunSets* sets_;
  int64_t images_ = 0;
};

class OneContentCheck {
 public:
  OneContentCheck(const Program& program, RunSets* sets) : program_(program), sets_(sets) {}

  OneContent Take() {
    for (size_t op = 0; op < program_.ops.size() && !found_.contradiction; ++op) {
      if (sets_->known(op) == nullptr && HasSeveralUses(op)) CheckElements(op);
    }
    return std::move(found_);
  }

 private:
  const Tensor* Known(size_t op) const { return sets_->known(op); }

  // Whether several ops use the value, or one uses some element several times.
  bool HasSeveralUses(size_t op) const {
    int uses = 0;
    for (size_t user = op + 1; user < program_.ops.size(); ++user) {
      const std::vector<ValueRef>& operands = program_.ops[user].operands;
      if (std::find(operands.begin(), operands.end(), ValueRef{ValueRef::Kind::kOp, static_cast<int>(op)}) ==
          operands.end()) {
        continue;
      }
      uses += ElementCount(sets_->sizes(user)) > ElementCount(sets_->sizes(op)) ? 2 : 1;
    }
    return uses > 1;
  }

  // Adds one to the paths to each element of the op's result that the user's element is made of.
  void AddPaths(size_t op, const std::vector<bool>& users, Reader reader, Reader at) {
    const auto reads = sets_->ReadsOf(at.op, at.element);
    for (size_t k = 0; k < reads.size(); ++k) {
      const bool again = std::find(reads.begin(), reads.begin() + k, reads[k]) != reads.begin() + k;
      if (again || reads[k].ref.kind != ValueRef::Kind::kOp || Known(reads[k].ref.index) != nullptr) continue;
      const auto of = static_cast<size_t>(reads[k].ref.index);
      for (size_t element = reads[k].first; element <= reads[k].last; ++element) {
        if (of == op) AddPath(element, reader);
        if (of != op && users[of]) AddPaths(op, users, reader, {of, element});
      }
    }
  }

  void AddPath(size_t element, Reader reader) {
    Readers& readers = readers_[element];
    const bool is_new = readers.empty() || readers.back().op != reader.op || readers.back().element != reader.element;
    if (is_new) readers.push_back(reader);
    ++paths_[element];
  }

  void CheckElements(size_t op) {
    const std::vector<bool> users = sets_->UsersOf(op);
    const auto count = static_cast<size_t>(ElementCount(sets_->sizes(op)));
    readers_.assign(count, {});
    paths_.assign(count, 0);
    for (size_t user = op + 1; user < program_.ops.size(); ++user) {
      if (!users[user] || Known(user) == nullptr) continue;
      for (size_t i = 0; i < Known(user)->element_count(); ++i) AddPaths(op, users, {user, i}, {user, i});
    }
    for (size_t i = 0; i < count && !found_.contradiction; ++i) {
      if (paths_[i] > 1) Check(op, i);
    }
  }

  void Check(size_t op, size_t element) {
    const AllowedSet allowed = sets_->Allowed(op, element);
    if (allowed.IsUndefined() || allowed.Count() <= 1) return;
    if (images_ >= kMostImages) {
      ++found_.open;
      return;
    }
    const Readers& readers = readers_[element];
    Search search(op, element, readers, sets_);
    const Search::End end = search.Find();
    images_ += search.images();
    if (end == Search::End::kOpen) ++found_.open;
    if (end == Search::End::kNone) found_.contradiction = Explain(op, element);
  }

  bool Contradict(size_t op, size_t element, Readers readers) const {
    return Search(op, element, std::move(readers), sets_).Find() == Search::End::kNone;
  }

  // The results that contradict each other: one by itself, or two, or all.
  Readers Contradicting(size_t op, size_t element) const {
    constexpr size_t kMostTried = 8;
    const Readers& all = readers_[element];
    const size_t tried = std::min(all.size(), kMostTried);
    for (size_t i = 0; i < tried; ++i) {
      if (Contradict(op, element, {all[i]})) return {all[i]};
    }
    for (size_t j = 1; j < tried; ++j) {
      for (size_t i = 0; i < j; ++i) {
        if (Contradict(op, element, {all[i], all[j]})) return {all[i], all[j]};
      }
    }
    return all;
  }

  std::string Shown(Reader reader) const {
    const Tensor& tensor = *Known(reader.op);
    return absl::StrCat("element ", reader.element, " of %", reader.op, " (", Name(program_.ops[reader.op].op), ") is ",
                        ElementToString(tensor.element_type(), tensor.Bits(reader.element)));
  }

  // Names the last of the results, and why the others exclude it.
  ElementMismatch Explain(size_t op, size_t element) const {
    Readers others = Contradicting(op, element);
    const Reader blamed = others.back();
    others.pop_back();
    AllowedSet rest = Search(op, element, others, sets_).Rest();
    if (rest.IsEmpty()) rest = sets_->Allowed(op, element);
    const RunSets::Given given = {op, element, sets_->UsersOf(op), rest};
    const Tensor& tensor = *Known(blamed.op);
    const uint64_t bits = tensor.RawBits(blamed.element);
    const AllowedSet allowed = sets_->AllowedIf(given, blamed.op, blamed.element);
    const std::string hidden = absl::StrCat("element ", element, " of %", op, " (", Name(program_.ops[op].op), ")");
    ElementMismatch mismatch{.op = static_cast<int>(blamed.op), .index = blamed.element, .count = 1};
    const bool excludes = !others.empty() && !allowed.Contains(bits);
    for (const AllowedSet& operand : sets_->OperandsOf(blamed.op, blamed.element, &given)) {
      mismatch.inputs.push_back(Describe(operand));
    }
    mismatch.expected = excludes ? Describe(allowed) : absl::StrCat("what one value of ", hidden, " makes");
    mismatch.actual = ElementToString(tensor.element_type(), tensor.Bits(blamed.element));
    mismatch.actual_bits = BitsToString(tensor.element_type(), tensor.Bits(blamed.element));
    if (excludes && allowed.Count() == 1) mismatch.expected_bits = BitsToString(allowed.type(), allowed.OnlyBits());
    if (excludes && IsFloat(allowed.type())) mismatch.ulp_distance = static_cast<double>(allowed.Distance(bits));
    mismatch.bound = absl::StrCat("what one value of ", hidden, " makes, which is not returned");
    for (const Reader other : others) absl::StrAppend(&mismatch.bound, "; ", Shown(other));
    return mismatch;
  }

  const Program& program_;
  RunSets* sets_;
  OneContent found_;
  int64_t images_ = 0;
  std::vector<Readers> readers_;  // by element of the value that is looked at
  std::vector<int> paths_;
};

}  // namespace

OneContent CheckOneContent(const Program& program, RunSets* sets) { return OneContentCheck(program, sets).Take(); }

}  // namespace tosaic
