// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/poison_maker.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/tensor.h"

namespace tosaic {

std::vector<std::string> InWords(absl::Span<const PoisonMaker> makers, absl::Span<const MadePoison> poisons) {
  constexpr size_t kNamed = 3;
  std::vector<std::string> texts;
  for (const MadePoison& poison : poisons.first(std::min(poisons.size(), kNamed))) {
    const PoisonMaker& maker = makers[poison.maker];
    std::vector<std::string> values;
    for (size_t i = 0; i < maker.operands.size(); ++i) {
      const auto& [name, type] = maker.operands[i];
      values.push_back(absl::StrCat(name, " = ", ElementToString(type, poison.bits[i] & BitMask(type))));
    }
    texts.push_back(absl::StrCat(maker.instruction, values.empty() ? "" : " where ", absl::StrJoin(values, " and ")));
  }
  const size_t more = poisons.size() - texts.size();
  if (more > 0) texts.push_back(absl::StrCat(more, more == 1 ? " instruction" : " instructions", " behind these"));
  return texts;
}

}  // namespace tosaic
