#include "results/value_sweep.h"

namespace tosaic {
namespace {

void Raise(Extreme* extreme, const Extreme& next) {
  if (next.value > extreme->value) *extreme = next;
}

}  // namespace

void AccuracyProfile::Add(const AccuracyProfile& next) {
  compared += next.compared;
  unpredictable += next.unpredictable;
  disagreements += next.disagreements;
  measured += next.measured;
  flushed += next.flushed;
  error_sum += next.error_sum;
  Raise(&error, next.error);
  Raise(&bound_used, next.bound_used);
  exact_kept += next.exact_kept;
  exact_flushed += next.exact_flushed;
}

}  // namespace tosaic
