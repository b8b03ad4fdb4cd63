// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/interval.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "oracle/float_format.h"
#include "oracle/number.h"

namespace tosaic {
namespace {

bool Encloses(const Interval& interval, const Real& value) {
  return !(value < Real(interval.lo())) && !(value > Real(interval.hi()));
}

// Values of both signs from the ends of the doubles to the ordinary.
std::vector<double> Values() {
  std::vector<double> values = {0.0, -0.0, 1.0, -1.0, kInfinity, -kInfinity, 0x1p-1074, -0x1p-1074, 0x1.fffffep127};
  uint64_t state = 3;
  for (int i = 0; i < 500; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double fraction = std::ldexp(static_cast<double>(state >> 11), -53);
    const double magnitude =
        i % 3 == 0 ? 8 * fraction : std::ldexp(1 + fraction, static_cast<int>(state % 2000) - 1000);
    values.push_back((state >> 30 & 1) != 0 ? -magnitude : magnitude);
  }
  return values;
}

TEST(IntervalTest, ArithmeticEnclosesTheExactResult) {
  const std::vector<double> values = Values();
  for (size_t i = 0; i < values.size(); ++i) {
    const double x = values[i];
    for (size_t k = i % 5; k < values.size(); k += 5) {
      const double y = values[k];
      // Real holds these sums and differences only of values near each other, but rounds within the interval.
      EXPECT_TRUE(Encloses(Interval(x) + y, Real(x) + y) || std::isnan(x + y)) << x << " " << y;
      EXPECT_TRUE(Encloses(Interval(x) - y, Real(x) - y) || std::isnan(x - y)) << x << " " << y;
      EXPECT_TRUE(Encloses(Interval(x) * y, Real(x) * y) || std::isnan(x * y)) << x << " " << y;
      EXPECT_TRUE(Encloses(Interval(x) / y, Real(x) / y) || std::isnan(x / y)) << x << " " << y;
    }
  }
}

TEST(IntervalTest, ArithmeticOnIntervalsEnclosesThatOnTheirMembers) {
  const std::vector<double> values = Values();
  for (size_t i = 0; i + 3 < values.size(); ++i) {
    const auto [a, b] = std::minmax(values[i], values[i + 1]);
    const auto [c, d] = std::minmax(values[i + 2], values[i + 3]);
    const Interval left(a, b), right(c, d);
    for (double x : {a, b}) {
      for (double y : {c, d}) {
        if (std::isfinite(x) && std::isfinite(y)) {
          EXPECT_TRUE(Encloses(left + right, Real(x) + y)) << x << " " << y;
          EXPECT_TRUE(Encloses(left - right, Real(x) - y)) << x << " " << y;
          EXPECT_TRUE(Encloses(left * right, Real(x) * y)) << x << " " << y;
          if (y != 0) EXPECT_TRUE(Encloses(left / right, Real(x) / y)) << x << " " << y;
        }
        EXPECT_TRUE(Encloses(Max(left, right), Max(Real(x), Real(y))));
      }
      EXPECT_TRUE(Encloses(Abs(left), Abs(Real(x))));
      EXPECT_TRUE(Encloses(-left, -Real(x)));
    }
  }
}

TEST(IntervalTest, FunctionsEncloseMpfrsResultClosely) {
  struct Function {
    const char* name;
    double (*rounded)(double);
    Real (*real)(const Real&);
    Interval (*interval)(const Interval&);
    double least;  // of the domain
    double width;  // relative
  };
  for (const Function& function : {Function{"cos", Cos, Cos, Cos, -kInfinity, 0x1p-25},
                                   {"sin", Sin, Sin, Sin, -kInfinity, 0x1p-25},
                                   {"erf", Erf, Erf, Erf, -kInfinity, 0x1p-22},
                                   {"exp", Exp, Exp, Exp, -kInfinity, 0x1p-25},
                                   {"expm1", Expm1, Expm1, Expm1, -kInfinity, 1},
                                   {"log", Log, Log, Log, 0, 0x1p-25},
                                   {"sqrt", Sqrt, Sqrt, Sqrt, 0x1p-1074, 0x1p-25},
                                   {"tanh", Tanh, Tanh, Tanh, -kInfinity, 0x1p-25}}) {
    for (double x : Values()) {
      if (x < function.least || std::abs(x) > 0x1p128) continue;
      const Interval interval = function.interval(x);
      EXPECT_TRUE(Encloses(interval, function.real(x))) << function.name << " " << x;
      EXPECT_TRUE(Encloses(interval, function.rounded(x))) << function.name << " " << x;
      const double magnitude = std::abs(interval.lo());
      if (magnitude < 1e-300 || !(magnitude < 1e300)) continue;
      EXPECT_LE(interval.hi() - interval.lo(), magnitude * function.width) << function.name << " " << x;
    }
  }
}

TEST(IntervalTest, ErfIsEnclosedWhereItIsNotMpfrs) {
  for (double x = 3; x < 6; x += 0x1.03p-9) {
    for (double sign : {1.0, -1.0}) {
      const Interval erf = Erf(Interval(sign * x));
      EXPECT_TRUE(Encloses(erf, Erf(Real(sign * x)))) << sign * x;
      EXPECT_LE(erf.hi() - erf.lo(), 0x1p-23) << x;
    }
  }
  EXPECT_TRUE(Encloses(Erf(Interval(kInfinity)), 1));
}

TEST(IntervalTest, ExpAndPowOnIntervals) {
  for (double x : {-1e30, -745.0, -3.0, 0.0, 1e-9, 2.5, 709.0, 711.0, 1e18}) {
    for (double width : {0x1p-60, 0x1p-20, 0.5, 1.0, 3.0}) {
      const Interval exp = Exp(Interval(x, x + width)), expm1 = Expm1(Interval(x, x + width));
      for (double member : {x, x + width}) {
        EXPECT_TRUE(Encloses(exp, Exp(Real(member)))) << x << " " << width;
        EXPECT_TRUE(Encloses(expm1, Expm1(Real(member)))) << x << " " << width;
      }
    }
  }
  for (double x : {0x1p-149, 0x1p-20, 0.75, 0x1.fffffep-1, 1.0, 0x1.000002p0, 3.0, 0x1p127}) {
    for (double y : {-0x1p127, -17.5, -0x1p-30, 0.5, 11.0, 1e6, 0x1p127}) {
      EXPECT_TRUE(Encloses(Pow(Interval(x), Interval(y)), Pow(Real(x), Real(y)))) << x << " " << y;
    }
  }
}

TEST(IntervalTest, TellsBeyondTheDoublesFromInfinite) {
  const Interval large = Exp(Interval(1e6));
  EXPECT_TRUE(large.IsFinite());
  EXPECT_EQ(large.hi(), kInfinity);
  EXPECT_TRUE((large * 0.0).IsFinite());
  EXPECT_TRUE((Exp(Interval(-1e6)) * large).IsFinite());
  for (double x : {1e8, 5e8, 7e8, 1e9, 1e18, 1e30}) EXPECT_FALSE(Exp(Interval(x)).IsFinite()) << x;
  EXPECT_FALSE(Exp(Interval(kInfinity)).IsFinite());
  EXPECT_FALSE((large + kInfinity).IsFinite());
  EXPECT_FALSE((Interval(kInfinity) - kInfinity).HasOneSign());  // no number: anything
  EXPECT_FALSE(Cos(Interval(kInfinity)).HasOneSign());
}

TEST(IntervalTest, ExactZerosStayPoints) {
  EXPECT_TRUE((Interval(1.5) - 1.5).IsPoint());
  EXPECT_TRUE(IsZero(Log(Interval(1))));
  EXPECT_FALSE(IsZero(Exp(Interval(-1e9))));
  EXPECT_TRUE((Interval(0x1p-1000) * 0x1p-1000).HasOneSign());
  EXPECT_TRUE((Interval(-0x1p-1000) * 0x1p-1000).HasOneSign());
}

// The functions of two runs of the memo, which the same arguments meet in another order.
TEST(IntervalTest, RemembersNothingWrong) {
  const std::vector<double> values = Values();
  std::vector<double> first;
  for (double x : values) first.push_back(Exp(Interval(x)).lo());
  for (double x : values) Sin(Interval(x));
  for (size_t i = values.size(); i-- > 0;) {
    EXPECT_EQ(Exp(Interval(values[i])).lo(), first[i]);
    EXPECT_TRUE(Encloses(Exp(Interval(values[i])), Exp(Real(values[i]))));
  }
}

}  // namespace
}  // namespace tosaic
