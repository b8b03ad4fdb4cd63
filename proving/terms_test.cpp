// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The terms of f8E4M3FN, which SMT has no format for, against the model's decoding and the oracle's rounding.
#include "proving/terms.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/tensor.h"
#include "oracle/float_format.h"

namespace tosaic {
namespace {

constexpr ElementType kSmall = ElementType::kF8E4M3FN;
constexpr uint64_t kPatterns = 256;

TEST(Terms, EveryPatternOfAnF8E4M3FNIsItsNumberInAWiderFloat) {
  z3::context context;
  for (const ElementType wide : {ElementType::kF16, ElementType::kBF16, ElementType::kF32}) {
    for (uint64_t bits = 0; bits < kPatterns; ++bits) {
      const z3::expr term = Constant(SortOf(context, kSmall), bits);
      const double number = ElementToDouble(kSmall, bits);
      const std::optional<uint64_t> same = BitsOf(term), widened = BitsOf(ToFloat(term, SortOf(context, wide)));
      ASSERT_TRUE(same && widened) << bits;
      if (std::isnan(number)) {
        EXPECT_EQ(*same & 0x7f, 0x7f) << bits;
        EXPECT_TRUE(std::isnan(ElementToDouble(wide, *widened))) << bits;
      } else {
        EXPECT_EQ(*same, bits);
        EXPECT_EQ(*widened, NearestBits(wide, number)) << Name(wide) << bits;
      }
    }
  }
}

TEST(Terms, EveryF16IsRoundedToTheNearestF8E4M3FN) {
  z3::context context;
  const z3::sort f8 = SortOf(context, kSmall), f16 = SortOf(context, ElementType::kF16);
  for (uint64_t bits = 0; bits <= BitMask(ElementType::kF16); ++bits) {
    const double number = ElementToDouble(ElementType::kF16, bits);
    const std::optional<uint64_t> rounded = BitsOf(ToFloat(Constant(f16, bits), f8));
    ASSERT_TRUE(rounded) << bits;
    const uint64_t nearest = NearestBits(kSmall, number);
    const bool is_nan = std::isnan(ElementToDouble(kSmall, nearest));
    ASSERT_EQ(*rounded & (is_nan ? 0x7f : 0xff), nearest & (is_nan ? 0x7f : 0xff)) << bits;
  }
}

// What the solver makes of variables is another piece of Z3 than what simplifies numbers. Of each result, the f16 that
// are rounded to it are a stretch.
TEST(Terms, TheSolverRoundsToF8E4M3FNAsTheSimplifierDoes) {
  z3::context context;
  const z3::sort f8 = SortOf(context, kSmall);
  const z3::expr bits = context.bv_const("bits", 16), small = context.bv_const("small", 8);
  const z3::expr rounded = ToFloat(FromBits(SortOf(context, ElementType::kF16), bits), f8);
  z3::expr wrong = context.bool_val(false), decoded_wrong = wrong;
  uint64_t first = 0;
  for (uint64_t next = 1; next <= 0x7c00; ++next) {  // up to infinity
    const uint64_t result = NearestBits(kSmall, ElementToDouble(ElementType::kF16, first));
    if (next < 0x7c00 && NearestBits(kSmall, ElementToDouble(ElementType::kF16, next)) == result) continue;
    for (const uint64_t sign : {0u, 1u}) {
      const z3::expr least = context.bv_val(first | sign << 15, 16), past = context.bv_val(next | sign << 15, 16);
      const z3::expr expected = Constant(f8, result | sign << 7);
      wrong = wrong || (z3::uge(bits, least) && z3::ult(bits, past) && rounded != expected);
      decoded_wrong =
          decoded_wrong || (small == context.bv_val(result | sign << 7, 8) && FromBits(f8, small) != expected);
    }
    first = next;
  }
  z3::solver solver = z3::tactic(context, "qffpbv").mk_solver();
  solver.add(wrong || decoded_wrong);
  EXPECT_EQ(solver.check(), z3::unsat);
}

}  // namespace
}  // namespace tosaic
