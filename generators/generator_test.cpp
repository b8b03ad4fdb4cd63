// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/generator.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "generators/element_bits.h"
#include "generators/intents.h"
#include "gtest/gtest.h"
#include "model/static_program.h"

namespace tosaic {
namespace {

std::string Text(absl::string_view view) { return std::string(view.data(), view.size()); }
// "plain"; of "chain/clamp-clamp" the first part.
std::string Intent(const Case& generated) {
  const std::string whole = generated.origin.substr(generated.origin.find("intent=") + 7);
  return whole.substr(0, whole.find('/'));
}
const OpApplication& TheOp(const Case& generated) { return generated.program.ops.front(); }

const std::vector<Case>& ManyCases() {
  static const auto& cases = *[] {
    auto* all = new std::vector<Case>;
    for (uint64_t i = 0; i < 5200; ++i) all->push_back(GenerateCase(1, i, {}));
    return all;
  }();
  return cases;
}

// The run-time sizes of the operands that broadcast, in one run.
std::vector<std::vector<int64_t>> OperandSizes(const Case& generated, const Run& run) {
  std::vector<std::vector<int64_t>> sizes;
  const OpApplication& op = TheOp(generated);
  for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) {
    const Tensor* constant = AsConstant(generated.program, op.operands[k]);
    sizes.push_back(constant != nullptr ? constant->sizes() : run[op.operands[k].index].sizes());
  }
  return sizes;
}

// The result's run-time sizes, or none if the operands do not broadcast.
std::optional<std::vector<int64_t>> Broadcast(const std::vector<std::vector<int64_t>>& operands) {
  std::vector<int64_t> result(operands.front().size(), 1);
  for (const auto& sizes : operands) {
    if (sizes.size() != result.size()) return std::nullopt;
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (sizes[d] < 1 || (sizes[d] != 1 && result[d] != 1 && sizes[d] != result[d])) return std::nullopt;
      result[d] = std::max(result[d], sizes[d]);
    }
  }
  return result;
}

TEST(Generator, TheSameSeedGivesTheSameCase) {
  for (uint64_t i = 0; i < 300; ++i) EXPECT_EQ(GenerateCase(5, i, {}), GenerateCase(5, i, {}));
}

TEST(Generator, OtherNumbersAndSeedsGiveOtherCases) {
  int equal = 0;
  for (uint64_t i = 0; i < 300; ++i) {
    const Case test_case = GenerateCase(5, i, {});
    equal +=
        test_case.program == GenerateCase(5, i + 1, {}).program && test_case.runs == GenerateCase(5, i + 1, {}).runs
            ? 1
            : 0;
    equal +=
        test_case.program == GenerateCase(6, i, {}).program && test_case.runs == GenerateCase(6, i, {}).runs ? 1 : 0;
  }
  EXPECT_LT(equal, 3);
}

TEST(Generator, OriginNamesSeedNumberAndIntent) {
  const Case generated = GenerateCase(12, 34, {});
  EXPECT_EQ(generated.origin.rfind("seed=12 case=34 intent=", 0), 0u) << generated.origin;
}

TEST(Generator, EveryCaseIsWellFormedAndBounded) {
  for (const Case& generated : ManyCases()) {
    ASSERT_TRUE(CheckWellFormed(generated).ok()) << generated.origin << " " << CheckWellFormed(generated).ToString();
    for (const auto& run : generated.runs) {
      for (const Tensor& tensor : run) ASSERT_LE(tensor.element_count(), 1u << 20);
    }
  }
}

TEST(Generator, EveryIntentAppears) {
  std::map<std::string, int> seen;
  for (const Case& generated : ManyCases()) ++seen[Intent(generated)];
  GeneratorOptions options;
  options.misfit_percent = 90;
  for (uint64_t i = 0; i < 10; ++i) seen["misfit-extents"] += Intent(GenerateCase(1, i, options)) == "misfit-extents";
  options.spec_version = SpecVersion::k1_1;
  options.blocks = {ElementType::kBlockMxint8};
  for (uint64_t i = 0; i < 200; ++i) seen["block-scaled"] += Intent(GenerateCase(1, i, options)) == "block-scaled";
  std::vector<absl::string_view> names = {kPlain,         kBeyondSpec, kUndefinedData, kNonconstantSpecial,
                                          kMisfitExtents, kChain,      kGraph,         kIdentity,
                                          kTrap,          kBlockScaled};
  for (const Illegality& illegality : AllIllegalities()) names.push_back(illegality.name);
  for (absl::string_view name : names) EXPECT_GT(seen[Text(name)], 0) << name;
  EXPECT_EQ(seen.size(), names.size());
  EXPECT_NEAR(seen["plain"], 5000 * 0.365, 200);
  // Of the legal cases inside the specification, that is of 83 %.
  EXPECT_NEAR(seen["chain"], 5000 * 0.83 * 0.30, 80);
  EXPECT_NEAR(seen["graph"], 5000 * 0.83 * 0.06, 70);
  EXPECT_NEAR(seen["identity"], 5000 * 0.83 * 0.18, 70);
}

TEST(Generator, EachParameterIsAnArgumentWithAndWithoutTheOthers) {
  GeneratorOptions options;
  options.ops = {OpKind::kRescale, OpKind::kNegate};
  options.illegal_percent = options.chain_percent = options.graph_percent = options.identity_percent = 0;
  std::map<OpKind, std::set<std::string>> seen;  // by op: the operands of a case that are arguments
  for (uint64_t i = 0; i < 20000; ++i) {
    const Case generated = GenerateCase(1, i, options);
    if (Intent(generated) != kNonconstantSpecial) continue;
    std::string arguments;
    for (const ValueRef operand : TheOp(generated).operands) {
      arguments += operand.kind == ValueRef::Kind::kArgument ? 'a' : 'c';
    }
    seen[TheOp(generated).op].insert(arguments.substr(1));
  }
  EXPECT_EQ(seen[OpKind::kNegate], (std::set<std::string>{"aa", "ac", "ca"}));
  EXPECT_EQ(seen[OpKind::kRescale].size(), 15u) << "each but for four constants";
  EXPECT_FALSE(seen[OpKind::kRescale].contains("cccc"));
}

TEST(Generator, EveryOpAndEveryTupleOfTheSpecificationAppears) {
  std::set<OpKind> ops;
  std::set<std::string> tuples;
  auto key = [](const OpInfo& op, ElementType input, ElementType result) {
    return Text(op.name) + " " + Text(Name(input)) + " " + Text(Name(result));
  };
  auto note = [&](const Case& generated) {
    const OpApplication& op = TheOp(generated);
    ops.insert(op.op);
    if (!generated.runs.empty()) {
      tuples.insert(key(Info(op.op), InputElementType(generated.program, op), op.result.element_type));
    }
  };
  for (uint64_t i = 0; i < 8000; ++i) {
    const Case generated = GenerateCase(1, i, {});
    if (generated.program.ops.size() == 1) note(generated);
  }
  EXPECT_EQ(ops.size(), AllOps().size());
  auto missing = [&](bool fp8) {
    std::string names;
    for (const OpInfo& op : AllOps()) {
      for (const TypeTuple& tuple : op.spec_types) {
        if ((IsFp8(tuple.input) || IsFp8(tuple.result)) != fp8) continue;
        if (tuples.count(key(op, tuple.input, tuple.result)) == 0) names += key(op, tuple.input, tuple.result) + "; ";
      }
    }
    return names;
  };
  EXPECT_EQ(missing(/*fp8=*/false), "");
  // fp8 is rare on purpose.
  GeneratorOptions one_run;
  one_run.runs = 1;
  for (uint64_t i = 5000; i < 40000; ++i) note(GenerateCase(1, i, one_run));
  EXPECT_EQ(missing(/*fp8=*/true), "");
}

TEST(Generator, RunTimeSizesBroadcastAndFitTheResult) {
  for (const Case& generated : ManyCases()) {
    for (const auto& run : generated.runs) {
      const std::vector<std::vector<int64_t>> operands = OperandSizes(generated, run);
      const OpApplication& op = TheOp(generated);
      const std::optional<std::vector<int64_t>> sizes =
          HasNewShape(Info(op.op)) ? Reshaped(op, ElementCount(operands[0])) : Broadcast(operands);
      ASSERT_TRUE(sizes) << generated.origin;
      ASSERT_TRUE(Admits(TheOp(generated).result.shape, *sizes)) << generated.origin;
    }
  }
}

TEST(Generator, SomeExtentsDoNotFitIfThatIsAskedFor) {
  GeneratorOptions options;
  options.misfit_percent = 90;
  options.max_elements = 100;
  int fit = 0, misfit = 0;
  for (uint64_t i = 0; i < 800; ++i) {
    const Case generated = GenerateCase(3, i, options);
    ASSERT_TRUE(CheckWellFormed(generated).ok()) << generated.origin;
    if (Intent(generated) != "misfit-extents") continue;
    for (const auto& run : generated.runs) {
      for (const Tensor& tensor : run) EXPECT_LE(tensor.element_count(), 100u);
      ++(Broadcast(OperandSizes(generated, run)) ? fit : misfit);
    }
  }
  EXPECT_GT(fit, 100);
  EXPECT_GT(misfit, 100);
}

// Where two operands meet and one is dynamic, it is often 1 at run time against a larger one.
TEST(Generator, DynamicDimensionsAreStretchedOften) {
  int possible = 0, stretched = 0;
  for (const Case& generated : ManyCases()) {
    const OpApplication& op = TheOp(generated);
    const std::vector<TensorType> types = OperandTypes(generated.program, op);
    const size_t count = BroadcastOperandCount(Info(op.op));
    if (count < 2 || !op.result.shape.IsRanked() || op.result.shape.rank() == 0) continue;
    bool all_dynamic = true;
    for (size_t k = 0; k < count; ++k) {
      if (!types[k].shape.IsRanked())
        all_dynamic = false;
      else
        for (Dim dim : types[k].shape.dims()) all_dynamic &= dim.IsDynamic();
    }
    for (Dim dim : op.result.shape.dims()) all_dynamic &= dim.IsDynamic();
    if (!all_dynamic) continue;
    for (const auto& run : generated.runs) {
      const auto sizes = OperandSizes(generated, run);
      const std::vector<int64_t> result = *Broadcast(sizes);
      ++possible;
      stretched += std::any_of(sizes.begin(), sizes.end(), [&](const auto& s) { return s != result; }) ? 1 : 0;
    }
  }
  EXPECT_GT(possible, 800);
  EXPECT_GT(stretched, possible / 2);
}

TEST(Generator, SizesVaryAmongRuns) {
  int dynamic = 0, varying = 0;
  for (const Case& generated : ManyCases()) {
    if (generated.runs.size() < 2 || generated.program.arguments.front().shape.IsStatic()) continue;
    ++dynamic;
    const bool varies = std::any_of(generated.runs.begin(), generated.runs.end(), [&](const auto& run) {
      return run.front().sizes() != generated.runs.front().front().sizes();
    });
    varying += varies ? 1 : 0;
  }
  // The others have a static result that fixes the size.
  EXPECT_GT(varying, dynamic * 3 / 4);
}

TEST(Generator, ShapeKindsHaveTheirShares) {
  int fully_static = 0, unranked = 0, constants = 0, plain = 0, more_specific = 0;
  for (const Case& generated : ManyCases()) {
    const OpApplication& op = TheOp(generated);
    bool is_static = op.result.shape.IsStatic(), ranked = true, constant = false, dynamic = false;
    for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) {
      const Shape shape = TypeOf(generated.program, op.operands[k]).shape;
      is_static &= shape.IsStatic();
      ranked &= shape.IsRanked();
      dynamic |= !shape.IsStatic();
      constant |= AsConstant(generated.program, op.operands[k]) != nullptr;
    }
    fully_static += is_static ? 1 : 0;
    unranked += ranked ? 0 : 1;
    plain += Intent(generated) == "plain" ? 1 : 0;
    constants += constant && Intent(generated) == "plain" ? 1 : 0;
    more_specific += dynamic && op.result.shape.IsStatic() ? 1 : 0;
  }
  EXPECT_NEAR(fully_static, 1900, 300);
  EXPECT_NEAR(unranked, 65, 30);  // of twelve seeds, 51 to 83
  // 27 % where operands broadcast, 4 % of the unary ones.
  EXPECT_NEAR(constants, plain * 0.17, plain * 0.04);
  EXPECT_GT(more_specific, 250);
}

TEST(Generator, BoundsAreOrderedAndShiftsLegal) {
  for (const Case& generated : ManyCases()) {
    if (generated.runs.empty()) continue;
    const OpApplication& op = TheOp(generated);
    const ElementType input = InputElementType(generated.program, op);
    if (op.attributes.min_val) {
      EXPECT_EQ(op.attributes.min_val->type, input);
      EXPECT_EQ(op.attributes.max_val->type, input);
      EXPECT_FALSE(LessValue(input, op.attributes.max_val->bits, op.attributes.min_val->bits)) << generated.origin;
    }
    for (size_t k = 0; k < op.operands.size(); ++k) {
      const Tensor* constant = AsConstant(generated.program, op.operands[k]);
      const OperandRole role = Info(op.op).operands[k];
      if (constant == nullptr || Intent(generated) == "undefined-data") continue;
      if (role == OperandRole::kShift) {
        const bool is_open = input == ElementType::kI64 && Intent(generated) == "beyond-spec";
        EXPECT_TRUE(is_open || constant->Bits(0) <= (input == ElementType::kI32 ? 63 : 0)) << generated.origin;
      } else if (role == OperandRole::kZeroPoint && input != ElementType::kI8) {
        const bool is_unsigned = op.attributes.input_unsigned.value_or(false);
        EXPECT_TRUE(constant->Bits(0) == 0 || (is_unsigned && constant->Bits(0) == 0x8000));
      }
    }
  }
}

// Some bugs show only if an op is folded to a constant of rank 0, or only in a shift of i64: two rare things at once.
TEST(Generator, MeetsConstantsOfRankZeroWithoutARankOfTheResult) {
  int scalars = 0;
  for (const Case& generated : ManyCases()) {
    if (generated.program.ops.size() != 1 || !generated.program.arguments.empty()) continue;
    const Shape operand = TypeOf(generated.program, TheOp(generated).operands[0]).shape;
    scalars += operand.IsRanked() && operand.rank() == 0 && !TheOp(generated).result.shape.IsRanked();
  }
  EXPECT_GT(scalars, 4);
}

TEST(Generator, MeetsShiftsOfI64) {
  GeneratorOptions options;
  options.ops = {OpKind::kMul};
  options.types = {ElementType::kI64};
  options.beyond_spec_percent = 100;
  options.illegal_percent = 0;
  int shifts = 0;
  for (uint64_t i = 0; i < 100; ++i) {
    const Case generated = GenerateCase(1, i, options);
    const Tensor* shift = AsConstant(generated.program, TheOp(generated).operands[2]);
    shifts += shift != nullptr && shift->Bits(0) != 0;
  }
  EXPECT_GT(shifts, 5) << "of those whose result alone is i64, none has one";
}

bool IsAtRoundNumber(size_t count) { return (count >= 1023 && count <= 1025) || (count >= 4095 && count <= 4097); }

// Whether a data operand of the case is a constant that `is_meant`.
bool HasConstant(const Case& generated, absl::FunctionRef<bool(const OpApplication&, const Tensor&)> is_meant) {
  return absl::c_any_of(generated.program.ops, [&](const OpApplication& op) {
    const auto data = absl::MakeConstSpan(op.operands).first(BroadcastOperandCount(Info(op.op)));
    return absl::c_any_of(data, [&](ValueRef ref) {
      const Tensor* constant = AsConstant(generated.program, ref);
      return constant != nullptr && is_meant(op, *constant);
    });
  });
}

// Some mistakes begin at a number that chance alone hits once in thousands of cases.
TEST(Generator, MeetsNumbersAtWhichMistakesBegin) {
  std::map<int64_t, int> extents;  // by how many cases have a run with it
  int counts = 0, narrow = 0, behind_clz = 0;
  for (uint64_t i = 0; i < 10000; ++i) {
    const Case generated = GenerateCase(2, i, {});
    std::set<int64_t> sizes;
    bool has_count = false;
    for (const auto& run : generated.runs) {
      for (const Tensor& tensor : run) {
        sizes.insert(tensor.sizes().begin(), tensor.sizes().end());
        has_count |= IsAtRoundNumber(tensor.element_count());
      }
    }
    for (const int64_t size : sizes) ++extents[size];
    counts += has_count;
    narrow += HasConstant(generated, [](const OpApplication&, const Tensor& constant) {
      return constant.element_type() == ElementType::kI4;
    });
    behind_clz += HasConstant(generated, [&](const OpApplication& op, const Tensor& constant) {
      const ValueRef first = op.operands[0];
      return op.op == OpKind::kBitwiseAnd && first.kind == ValueRef::Kind::kOp && constant.Bits(0) == 31 &&
             generated.program.ops[static_cast<size_t>(first.index)].op == OpKind::kClz;
    });
  }
  for (const int64_t size : {1024, 4096}) EXPECT_GT(extents[size], 20) << size;
  for (const int64_t size : {1023, 1025, 4095, 4097}) EXPECT_GT(extents[size], 4) << size;
  EXPECT_GT(counts, 60);
  EXPECT_GT(narrow, 25);
  EXPECT_GT(behind_clz, 4);
}

// false is less than true, as the op verifier has it too.
TEST(Generator, BoundsOfI1AreAllThatAreLegal) {
  GeneratorOptions options;
  options.ops = {OpKind::kClamp};
  options.types = {ElementType::kI1};
  options.beyond_spec_percent = 100;
  options.illegal_percent = 0;
  std::map<std::pair<uint64_t, uint64_t>, int> drawn;
  for (uint64_t i = 0; i < 200; ++i) {
    const Case generated = GenerateCase(1, i, options);
    const Attributes& attributes = TheOp(generated).attributes;
    ++drawn[{attributes.min_val->bits, attributes.max_val->bits}];
  }
  EXPECT_EQ(drawn.size(), 3u);
  for (const auto& bounds : {std::pair(0, 0), std::pair(0, 1), std::pair(1, 1)}) EXPECT_GT(drawn[bounds], 20);
}

TEST(Generator, OptionsFilter) {
  GeneratorOptions options;
  options.ops = {*FindOp("add"), *FindOp("cast")};
  options.types = {ElementType::kF32, ElementType::kI8};
  options.runs = 3;
  options.max_elements = 10;
  options.routes = {{"other", 1}};
  ASSERT_TRUE(CheckOptions(options).ok());
  for (uint64_t i = 0; i < 500; ++i) {
    const Case generated = GenerateCase(8, i, options);
    const OpApplication& op = TheOp(generated);
    EXPECT_TRUE(Name(op.op) == "add" || Name(op.op) == "cast");
    EXPECT_EQ(generated.route, "other");
    if (generated.runs.empty()) continue;  // an illegal type may be any
    std::set<ElementType> types = {InputElementType(generated.program, op), op.result.element_type};
    EXPECT_TRUE(types.count(ElementType::kF32) + types.count(ElementType::kI8) > 0);
    EXPECT_EQ(generated.runs.size(), generated.program.arguments.empty() ? 1u : 3u);
    for (const auto& run : generated.runs) {
      for (const Tensor& tensor : run) EXPECT_LE(tensor.element_count(), 10u);
    }
  }
}

TEST(Generator, OnlyBeyondSpecWhereTheSpecificationHasNothing) {
  GeneratorOptions options;
  options.ops = {*FindOp("add")};
  options.types = {ElementType::kI64};
  options.illegal_percent = 0;  // illegal ones are drawn of such types too
  for (uint64_t i = 0; i < 100; ++i) EXPECT_EQ(Intent(GenerateCase(9, i, options)), "beyond-spec");
}

TEST(Generator, DrawsWhatTheDraftAddsAsTheSpecificationsOwn) {
  GeneratorOptions options;
  options.types = {ElementType::kI64};
  options.illegal_percent = 0;
  options.spec_version = SpecVersion::k1_1;
  int within = 0, chains_and_graphs = 0;
  for (uint64_t i = 0; i < 300; ++i) {
    const std::string intent = Intent(GenerateCase(9, i, options));
    within += intent != "beyond-spec" ? 1 : 0;
    chains_and_graphs += intent == "chain" || intent == "graph" ? 1 : 0;
  }
  EXPECT_GT(within, 250);
  EXPECT_LT(within, 300);
  EXPECT_GT(chains_and_graphs, 20);
}

TEST(Generator, CheckOptionsSaysWhatIsWrong) {
  EXPECT_TRUE(CheckOptions({}).ok());
  GeneratorOptions options;
  options.ops = {*FindOp("logical_not")};
  options.types = {ElementType::kF32};
  EXPECT_FALSE(CheckOptions(options).ok());
  options = {};
  options.runs = -1;
  EXPECT_FALSE(CheckOptions(options).ok());
  options = {};
  options.max_elements = 0;
  EXPECT_FALSE(CheckOptions(options).ok());
  options = {};
  options.illegal_percent = 60;
  options.beyond_spec_percent = 60;
  EXPECT_FALSE(CheckOptions(options).ok());
}

TEST(Generator, ABeyondSpecShareOf100IsAll) {
  GeneratorOptions options;
  options.illegal_percent = 0;
  options.beyond_spec_percent = 100;
  options.runs = 1;
  int beyond = 0;
  for (uint64_t i = 0; i < 1000; ++i) beyond += Intent(GenerateCase(10, i, options)) == "beyond-spec" ? 1 : 0;
  EXPECT_EQ(beyond, 1000);
}

TEST(Generator, ExhaustedBytesGiveASimpleCase) {
  ByteChoices choices({});
  const Case generated = GenerateCase(choices, {});
  EXPECT_TRUE(CheckWellFormed(generated).ok());
  EXPECT_EQ(generated.origin, "intent=plain");
  EXPECT_EQ(generated.program.arguments.front().shape.rank(), 1u);
}

TEST(Generator, DraftAttributesAreDrawnWhereTheyAreReadAlone) {
  GeneratorOptions options = {.ops = {OpKind::kCast}, .spec_version = SpecVersion::k1_1};
  int says = 0;
  for (const bool reads : {false, true}) {
    options.draft_attributes = reads;
    for (uint64_t i = 0; i < 500; ++i) {
      const Case generated = GenerateCase(3, i, options);
      for (const OpApplication& op : generated.program.ops) {
        if (op.op != OpKind::kCast || !op.attributes.input_unsigned) continue;
        EXPECT_TRUE(reads);
        const ElementType input = InputElementType(generated.program, op);
        EXPECT_TRUE(IsInteger(input) && input != ElementType::kI1) << Name(input);
        says += *op.attributes.input_unsigned;
      }
    }
  }
  EXPECT_GT(says, 50);
}

TEST(Generator, AnyBytesGiveAWellFormedCase) {
  SeededChoices random(11, 11);
  for (int i = 0; i < 3000; ++i) {
    std::vector<uint8_t> bytes(random.Below(400));
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.Bits());
    ByteChoices choices(bytes);
    const Case generated = GenerateCase(choices, {});
    ASSERT_TRUE(CheckWellFormed(generated).ok()) << CheckWellFormed(generated).ToString();
    for (const auto& run : generated.runs) ASSERT_TRUE(Broadcast(OperandSizes(generated, run)));
  }
}

}  // namespace
}  // namespace tosaic
