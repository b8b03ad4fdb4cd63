// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/swarm.h"

#include <vector>

#include "generators/choice_source.h"
#include "generators/typed_op.h"

namespace tosaic {
namespace {

constexpr uint64_t kSwarm = 0x737761726d;  // choices of their own

// All but those that are left out: each with one chance, which is drawn too, from none to a half.
template <typename T>
std::vector<T> PartOf(ChoiceSource& choices, const std::vector<T>& all) {
  const uint64_t percent = choices.Below(51);
  std::vector<T> part;
  for (const T& value : all) {
    if (!choices.Chance(percent, 100)) part.push_back(value);
  }
  return part;
}

}  // namespace

GeneratorOptions SwarmOf(const GeneratorOptions& all, uint64_t seed, uint64_t number) {
  SeededChoices choices(seed ^ kSwarm, number);
  GeneratorOptions part = all;
  if (part.ops.empty()) {
    for (const OpInfo& op : AllOps()) part.ops.push_back(op.kind);
  }
  if (part.types.empty()) {
    for (const ElementTypeInfo& type : AllElementTypes()) part.types.push_back(type.type);
  }
  part.ops = PartOf(choices, part.ops);
  part.types = PartOf(choices, part.types);
  for (int GeneratorOptions::* percent :
       {&GeneratorOptions::illegal_percent, &GeneratorOptions::beyond_spec_percent, &GeneratorOptions::chain_percent,
        &GeneratorOptions::graph_percent, &GeneratorOptions::identity_percent, &GeneratorOptions::misfit_percent,
        &GeneratorOptions::twin_percent}) {
    if (choices.Chance(1, 3)) part.*percent = 0;
  }
  const auto first = part.routes.front();
  part.routes.erase(part.routes.begin());
  part.routes = PartOf(choices, part.routes);
  part.routes.insert(part.routes.begin(), first);
  const bool has_something = !part.ops.empty() && !part.types.empty() && CheckOptions(part).ok();
  return has_something ? part : all;
}

}  // namespace tosaic
