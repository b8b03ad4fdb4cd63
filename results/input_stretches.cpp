// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/input_stretches.h"

namespace tosaic {

void InputStretches::Add(const InputStretches& next) {
  if (next.count == 0) return;
  const bool continues = count > 0 && last.last + 1 == next.listed.front().first;
  inputs += next.inputs;
  if (continues) {
    // The first of the next is a part of the last here.
    last.last = next.listed.front().last;
    if (count <= kListed) listed.back() = last;
  }
  for (size_t i = continues ? 1 : 0; i < next.listed.size() && listed.size() < kListed; ++i) {
    listed.push_back(next.listed[i]);
  }
  count += next.count - (continues ? 1 : 0);
  if (!continues || next.count > 1) last = next.last;
}

void Fields(Visitor& v, InputStretch& stretch) {
  v("first", stretch.first);
  v("last", stretch.last);
}

void Fields(Visitor& v, InputStretches& stretches) {
  v("inputs", stretches.inputs);
  v("count", stretches.count);
  v("listed", stretches.listed);
  v("last", stretches.last);
}

}  // namespace tosaic
