// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generator's options.
#ifndef TOSAIC_GENERATORS_GENERATOR_OPTIONS_H_
#define TOSAIC_GENERATORS_GENERATOR_OPTIONS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "model/element_type.h"
#include "model/op_catalogue.h"

namespace tosaic {

struct GeneratorOptions {
  std::vector<OpKind> ops;         // empty: all
  std::vector<ElementType> types;  // the inputs' or the result's type is one of these; empty: all
  int runs = 8;                    // per legal case; a program without arguments has one
  int64_t max_elements = 1 << 20;  // of any tensor; where the oracle needs time for each, far fewer
  // Names of routes and how often each is drawn. Findings are also tried on the first.
  std::vector<std::pair<std::string, int>> routes = {{"loops", 1}};
  int illegal_percent = 12;     // cases that break exactly one rule
  int beyond_spec_percent = 5;  // cases of element types that only the dialect accepts
  // Shares of the cases that are legal and inside the specification (intents.h).
  int chain_percent = 30;
  int graph_percent = 6;
  int identity_percent = 18;
  // The share of cases of one op half of whose runs have extents that may not fit each other, which only run-time
  // verification and guarded memory can judge. At most 90.
  int misfit_percent = 0;
  // The share of cases with runs that get a twin (generators/twins.h). If there are any, one in twelve of the cases
  // that return only some of their ops' results gets one.
  int twin_percent = 0;
  // In how many of a hundred cases with runs an operand gets its shape from a reshape (generators/reshapes.h).
  int reshape_percent = 0;
  // Numbers at which something else may happen, and the share of the cases whose sizes and elements are often these, or
  // beside them: in the others, sizes that are equal or small are as frequent as ever.
  std::vector<double> numbers = {};
  int numbers_percent = 15;
  // The ops that the code of the patch under review names (changed_ops.h).
  std::vector<OpKind> patch_ops = {};
  // Whose element types count as the specification's.
  SpecVersion spec_version = SpecVersion::k1_0_2;
  // Attributes that the draft of 1.1 adds are drawn: the toolchain reads them.
  bool draft_attributes = false;
  // The block-scaled types that are drawn (blocks.h): those that the toolchain reads.
  std::vector<ElementType> blocks = {};
  // tosa-validate is tested as well as the op verifier: half of the programs that are legal for the latter are static,
  // and half of the illegal ones break only a rule of the former.
  bool for_validator = false;
  // A pipeline that leaves TOSA is tested. Two negations may then have a zero point that is known at run time, which
  // MLIR 22 dies of where it lowers them (findings.md, F3 and F30).
  bool as_tosa = false;
};

// Says what is wrong with the options: a number is out of range, or no op takes any of the types.
absl::Status CheckOptions(const GeneratorOptions& options);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_GENERATOR_OPTIONS_H_
