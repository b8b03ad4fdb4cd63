// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The op catalogue has one row per TOSA op that is judged (in ops.def): elementwise ones, and what front ends put
// beside them. It is the single source for the generator, the emitter, the oracle and `list-ops`. Facts from
// tosa-semantics.md (specification 1.0.x), the draft of 1.1 and, for the dialect's own columns, from TosaOps.td of MLIR
// 16, 19 and 22. It has no behaviour: oracle/ computes values.
#ifndef TOSAIC_MODEL_OP_CATALOGUE_H_
#define TOSAIC_MODEL_OP_CATALOGUE_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/attributes.h"
#include "model/dialect.h"
#include "model/element_type.h"
#include "model/operand_roles.h"
#include "model/profile.h"

namespace tosaic {

enum class OpKind : uint8_t {
#define TOSAIC_OP(name, ...) k##name,
#include "model/ops.def"
#undef TOSAIC_OP
};

// A tuple of element types in the specification: the inputs' type and the result's.
struct TypeTuple {
  ElementType input;
  ElementType result;
  Profile profile;
};

// How exactly a result must match (tosa-semantics.md, Ops). oracle/accuracy evaluates it.
struct Accuracy {
  enum class Kind : uint8_t {
    kExact,          // bit-exact, subnormal results may flush
    kUlp,            // within_ulp(ref, ulp)
    kAbsoluteError,  // AEB(m, b, l, d) with b = b_const + b_base * base(T) + b_abs_x * |x|
    kPow,            // pow's own rule of 1.0.2
    kPow100,         // pow's own rule of 1.0.0
    kCast,           // by the pair of types: tosa-semantics.md, "cast, the values"
  };
  enum class Magnitude : uint8_t { kReference, kInput, kOnePlusAbsInput };
  Kind kind = Kind::kExact;
  double ulp = 0;
  Magnitude m = Magnitude::kReference;
  double b_const = 0;
  double b_base = 0;
  double b_abs_x = 0;
  double l = 0;
  int d = 1;
  double least_in_normal_min = 0;  // the bound is at least this many times normal_min(T)
};

// The condition (a REQUIRE of the specification) whose breach makes an element's result unpredictable.
enum class Unpredictable : uint8_t {
  kNever,
  kAbsOfMin,            // integer |INT_MIN|
  kSumOverflow,         // integers: the sum does not fit the type
  kDifferenceOverflow,  // integers: the difference does not fit the type
  kDivision,            // divisor 0, or INT_MIN / -1
  kShiftAmount,         // not 0 <= amount < width
  kMulShift,            // shift outside 0..63, non-zero unless i32, or a shifted product that does not fit i32
  kNegateOverflow,      // i32 only: the difference does not fit
  kPowDomain,           // x < 0; x == 0 and y <= 0; any NaN or infinity
  kNanToInteger,        // cast of NaN to an integer
  kScale,               // a multiplier below 0, a shift outside 2..62, or a value or a sum that they do not allow
  kTableStep,           // between two entries of a table of i16: more than an i16
};

// Where the result's shape comes from.
enum class ResultShape : uint8_t {
  kBroadcast,  // the operands: the Broadcastable trait decides, as for all ops that the RFC lists
  kInput,      // it is the input's
  kNewShape,   // the attribute new_shape
};

struct OpInfo {
  OpKind kind;
  absl::string_view name;  // mnemonic in MLIR 22, without the dialect's prefix
  absl::Span<const OperandRole> operands;
  absl::Span<const Attribute> attributes = {};
  absl::Span<const Attribute> draft_attributes = {};  // of these, those that the draft of 1.1 adds; they may be absent
  absl::Span<const TypeTuple> spec_types;
  absl::Span<const TypeTuple> draft_types = {};  // what the draft of 1.1 adds
  absl::Span<const TypeTuple> block_types = {};  // the same of block-scaled types (generators/blocks.h)
  DialectTyping dialect = {};                    // in MLIR 22; for others see dialect_NN.cpp
  Accuracy accuracy = {};
  Accuracy accuracy_1_0_0 = {};  // meaningful if has_accuracy_1_0_0
  bool has_accuracy_1_0_0 = false;
  Accuracy bf16_accuracy_1_1 = {};  // meaningful if has_bf16_accuracy_1_1
  bool has_bf16_accuracy_1_1 = false;
  Unpredictable unpredictable = Unpredictable::kNever;
  ResultShape result_shape = ResultShape::kBroadcast;
  absl::string_view section;  // section of the TOSA specification
};

absl::Span<const OpInfo> AllOps();
const OpInfo& Info(OpKind kind);
inline absl::string_view Name(OpKind kind) { return Info(kind).name; }
// The op's mnemonic in a version of the dialect; empty: it does not exist there.
absl::string_view NameIn(const OpInfo& op, Dialect dialect);
// How many of the op's operands are operands in a dialect as well; the others, which come last, are attributes there.
size_t WrittenOperandCount(const OpInfo& op, const DialectInfo& dialect);
const DialectTyping& TypingIn(const OpInfo& op, Dialect dialect);

// Finds an op by MLIR 22's mnemonic, with or without "tosa.".
std::optional<OpKind> FindOp(absl::string_view name);
std::string ToString(OpKind kind);
absl::Status ReadText(absl::string_view text, OpKind& kind);

bool HasAttribute(const OpInfo& op, Attribute attribute);
// Whether versions since MLIR 22 have it: what the draft of 1.1 adds is not drawn without being asked for.
bool IsDrawn(const OpInfo& op, Attribute attribute);
// Whether the op must have an attribute of its row. One that the draft adds may always be absent.
AttributePresence PresenceIn(const OpInfo& op, Attribute attribute);
bool HasRole(const OpInfo& op, OperandRole role);
// The number of operands that are data (not IsSpecial), on whose shapes the result's depends. They come first.
size_t BroadcastOperandCount(const OpInfo& op);
// The first operand of the input's element type.
size_t FirstInput(const OpInfo& op);
// How many elements of operands a result's element is computed from: one of each, or as many as a lookup reads, which
// comes last.
inline constexpr size_t kMostReads = 5;
constexpr bool LooksUp(const OpInfo& op) { return Info(op.operands.back()).access == OperandAccess::kLookup; }
constexpr size_t ReadCount(const OpInfo& op, ElementType input) {
  return op.operands.size() + (LooksUp(op) ? LookupIn(input).reads - 1 : 0);
}
// Whether an element is computed from those at its position, and numbers that are the same for all: what the RFC calls
// elementwise, which routes for such ops alone take.
constexpr bool IsElementwise(const OpInfo& op) {
  return std::all_of(op.operands.begin(), op.operands.end(), [](OperandRole role) {
    return Info(role).access == OperandAccess::kPosition || Info(role).access == OperandAccess::kSingle;
  });
}
// Whether the op states its result's sizes itself.
constexpr bool HasNewShape(const OpInfo& op) { return op.result_shape == ResultShape::kNewShape; }
// Whether the op moves elements and leaves them as they are: it does not compute.
constexpr bool MovesElements(const OpInfo& op) { return Info(op.operands[0]).access == OperandAccess::kOrder; }

// The tuples of a version of the specification: those of 1.0, followed by those that a draft adds, but for block-scaled
// types.
std::vector<TypeTuple> TuplesOf(const OpInfo& op, SpecVersion version);
// The tuple for these types in that version, if it has one.
const TypeTuple* FindSpecTuple(const OpInfo& op, ElementType input, ElementType result,
                               SpecVersion version = SpecVersion::k1_0_2);
// Whether the draft of 1.1 adds the element types.
bool IsDraftTuple(const OpInfo& op, ElementType input, ElementType result);
// Whether the dialect accepts the element types, if all inputs have the same one. 22 accepts the specification's tuples
// and more.
bool DialectAccepts(const OpInfo& op, ElementType input, ElementType result, Dialect dialect = kCanonicalDialect);

// For list-ops: "0.5 ulp", "AEB(ref, 2 + 2|x|, 0, 1)".
std::string Describe(const Accuracy& accuracy);
absl::string_view Describe(Unpredictable unpredictable);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_OP_CATALOGUE_H_
