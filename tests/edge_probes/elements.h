// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random elements, and elements in the order of their values, on the means of dumb_scalar_ops alone.
#ifndef TOSAIC_TESTS_EDGE_PROBES_ELEMENTS_H_
#define TOSAIC_TESTS_EDGE_PROBES_ELEMENTS_H_

#include <cstdint>
#include <vector>

#include "model/element_type.h"

namespace tosaic::edge_probes {

class Dice {
 public:
  Dice(uint64_t seed, uint64_t number) : state_(seed * 0x9e3779b97f4a7c15 ^ number * 0xd1342543de82ef95) {}
  uint64_t Bits() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  uint64_t Below(uint64_t bound) { return Bits() % bound; }
  bool OneIn(uint64_t n) { return Below(n) == 0; }
  template <typename T>
  T Of(const std::vector<T>& choices) {
    return choices[Below(choices.size())];
  }

 private:
  uint64_t state_;
};

bool IsNan(ElementType type, uint64_t bits);
// Of the types that a target may flush.
bool IsSubnormal(ElementType type, uint64_t bits);
// REQUIRES: IsFloat(type).
uint64_t ZeroOfSign(ElementType type, uint64_t bits);

// The place of a number in the order of values: of floats, -0 is -1 and +0 is 0; an integer is its own. REQUIRES: no
// NaN.
int64_t PlaceOf(ElementType type, uint64_t bits);
uint64_t BitsAt(ElementType type, int64_t place);
int64_t GreatestPlace(ElementType type);
int64_t LeastPlace(ElementType type);

// A NaN of any payload.
uint64_t AnyNan(ElementType type, Dice& dice);
// Often of moderate size, sometimes a special value, sometimes any pattern.
uint64_t DrawElement(ElementType type, Dice& dice);

}  // namespace tosaic::edge_probes

#endif  // TOSAIC_TESTS_EDGE_PROBES_ELEMENTS_H_
