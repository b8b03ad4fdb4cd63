// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of other versions of the TOSA dialect -> text of which this MLIR's parser, which verifies nothing, drops
// nothing.
#ifndef TOSAIC_TOOLCHAIN_MLIR_OLDER_TEXT_H_
#define TOSAIC_TOOLCHAIN_MLIR_OLDER_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tosaic {

// The properties of TOSA's ops as attributes: a parser drops properties that its own op does not have. The lines stay.
//   "tosa.const"() <{value = dense<2> : tensor<3xi8>}> : ...   "tosa.const"() {value = dense<2> : tensor<3xi8>} : ...
std::string PropertiesAsAttributes(absl::string_view text);

// The attributes of TOSA that newer versions cannot parse as strings.
//   {quantization_info = #tosa.unary_quant<input_zp = 1>}      {quantization_info = "#tosa.unary_quant<input_zp = 1>"}
std::string OldAttributesAsStrings(absl::string_view text);

// The enums that were strings for some months as the enums that they became.
//   {nan_mode = "IGNORE"}                                      {nan_mode = #tosa.nan_mode<IGNORE>}
std::string QuotedNamesAsEnums(absl::string_view text);

// The types that newer versions of TOSA alone have as those of a dialect that nobody has.
//   tensor<32x!tosa.block_scaled<...>>                         tensor<32x!tosaic.block_scaled<...>>
std::string NewTypesAsOpaque(absl::string_view text);

// Constants of block-scaled types (model/block_text.h) as elements that are strings. The lines stay.
//   dense<tensor<32x!t<..., {2.0}>> : 1.0 : f4E2M1FN>    dense<"dense<tensor<...>>"> : tensor<1x!tosaic.text>
std::string BlockConstantsAsStrings(absl::string_view text);

// The clauses that the newest dialect has in place of attributes (toolchain/features.def: "clauses"); of ops that
// Tosaic does not judge they are left out. The lines stay.
//   tosa.cast %a input_unsigned(true) : (...) -> ...        "tosa.cast"(%a) {input_unsigned = true} : (...) -> ...
std::string ClausesAsAttributes(absl::string_view text);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_OLDER_TEXT_H_
