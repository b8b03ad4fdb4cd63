// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweeps/sweep_identity.h"

#include <string>
#include <vector>

#include "codec/codec.h"

namespace tosaic {

Json SweepIdentity(const ValueSweepRunOptions& options, const Provenance& versions) {
  std::vector<std::string> ops, types;
  for (const OpKind op : options.plan.ops) ops.emplace_back(Name(op));
  for (const ElementType type : options.plan.types) types.emplace_back(Name(type));
  const auto& [policies, mlir_version, validation] = options.judge;
  const Json asked_for = {{"ops", ops},
                          {"types", types},
                          {"all", options.plan.all},
                          {"inputs", options.plan.inputs},
                          {"spec", std::string(Name(options.plan.spec_version))},
                          {"strict_values", policies.strict_values},
                          {"mlir_version", mlir_version}};
  return {{"tosaic_sweep", 1},
          {"asked_for", asked_for},
          {"routes", Json::array({options.route})},
          {"versions", ToJson(versions)}};
}

}  // namespace tosaic
