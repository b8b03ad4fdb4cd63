// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dialect: the versions of the TOSA dialect that Tosaic writes, and how each differs from the canonical one.
// support_table.h lists the types and forms that a version cannot lower.
#ifndef TOSAIC_MODEL_DIALECT_H_
#define TOSAIC_MODEL_DIALECT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/attributes.h"
#include "model/element_type.h"
#include "model/operand_roles.h"

namespace tosaic {

enum class OpKind : uint8_t;

// Each is named by the version of MLIR that it was described from.
enum class Dialect : uint8_t {
#define TOSAIC_DIALECT(version) k##version,
#include "model/dialects.def"
#undef TOSAIC_DIALECT
};

// The dialect of case files and of the op catalogue. Tosaic calls ops and attributes by its names.
inline constexpr Dialect kCanonicalDialect = Dialect::k22;

// The element types that the op verifier accepts for the inputs: their constraint in ODS.
enum class DialectTypes : uint8_t {
  kAnyNumber,  // Tosa_Tensor: DialectInfo::numbers
  kI1,         // Tosa_I1Tensor
  kInt32,      // Tosa_Int32Tensor
  kInt32Or64,  // Tosa_Int32Or64Tensor
  kFloat,      // Tosa_FloatTensor
  kInteger,    // rescale's own verifier
};
// How the result's element type follows from the inputs'.
enum class DialectResult : uint8_t {
  kSameAsInputs,  // SameOperandsAndResultElementType, or the op's own verifier
  kI1,            // comparisons: Tosa_I1Tensor
  kAny,           // any pair, cast's for instance
  kInteger,       // rescale's own verifier
  kWidened,       // mul: an integer type at least as wide, otherwise the same type
};
struct DialectTyping {
  DialectTypes inputs = DialectTypes::kAnyNumber;
  DialectResult result = DialectResult::kSameAsInputs;
  bool inputs_may_differ = false;        // from each other
  bool ranked_result = false;            // the result's type has a rank: its constraint in ODS
  std::optional<ElementType> also = {};  // that it takes and DialectInfo::numbers lacks
};

// How a dialect writes the operands of a role.
struct OperandSpelling {
  enum class Form : uint8_t {
    kOperand,
    kNumber,  // as an attribute: `shift = 3 : i8`; a list, if the role has several elements: `array<i8: 3, 4>`
    kUnaryQuantization,  // both zero points as one attribute, which floats lack
  };
  Form form = Form::kOperand;
  absl::string_view attribute = {};     // its name
  ElementType type = ElementType::kI8;  // of its numbers
};

// An op of the catalogue as a dialect has it.
struct DialectOp {
  absl::string_view name;  // mnemonic without the dialect's prefix; empty: it does not exist there
  DialectTyping typing;
  std::vector<Attribute> lacks = {};                                   // that other ops have there
  std::vector<Attribute> may_lack = {};                                // that it must have in other dialects
  std::vector<std::pair<OperandRole, OperandSpelling>> operands = {};  // not spelled as those of other ops
};

struct DialectInfo {
  Dialect dialect;
  int version;                               // major version of that MLIR
  std::vector<DialectOp> ops;                // by OpKind
  std::vector<AttributeSpelling> spellings;  // by Attribute
  std::vector<OperandSpelling> operands;     // by OperandRole
  std::vector<ElementType> numbers;          // Tosa_AnyNumber
  absl::string_view constant_values;         // the attribute of tosa.const that holds the elements
  bool equal_rank = true;          // the op verifier asks for one rank, else ranks are the Broadcastable trait's alone
  bool properties = false;         // attributes are written as properties: a parser refuses those that it does not know
  bool draft_casts_of_i1 = false;  // tosa-validate knows the casts of i1 that the draft of 1.1 got after MLIR 22

  DialectOp& Op(OpKind kind) { return ops[static_cast<size_t>(kind)]; }
  const DialectOp& Op(OpKind kind) const { return ops[static_cast<size_t>(kind)]; }
  AttributeSpelling& Spelling(Attribute attribute) { return spellings[static_cast<size_t>(attribute)]; }
  OperandSpelling& Spelling(OperandRole role) { return operands[static_cast<size_t>(role)]; }
  // As an op has them.
  AttributeSpelling Spelling(OpKind op, Attribute attribute) const;
  const OperandSpelling& Spelling(OpKind op, OperandRole role) const;
};

absl::Span<const DialectInfo> AllDialects();
const DialectInfo& Info(Dialect dialect);

// The dialects between the canonical one and `dialect`, without the former and with the latter.
std::vector<Dialect> FromCanonical(Dialect dialect);

// The dialect described here that is nearest to an MLIR of another version.
Dialect NearestDialect(int mlir_version);

// Defined in dialect_NN.cpp: changes the description of the neighbouring dialect, the one nearer to the canonical one,
// into the description of this dialect. The canonical dialect's function starts from an empty description.
#define TOSAIC_DIALECT(version) void DescribeMlir##version(DialectInfo& dialect);
#include "model/dialects.def"
#undef TOSAIC_DIALECT

}  // namespace tosaic

#endif  // TOSAIC_MODEL_DIALECT_H_
