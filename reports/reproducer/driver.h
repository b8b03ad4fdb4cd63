// The C driver of a reproducer folder: calls the program on guarded memory, for what a runner cannot show.
#ifndef TOSAIC_REPORTS_REPRODUCER_DRIVER_H_
#define TOSAIC_REPORTS_REPRODUCER_DRIVER_H_

#include <string>

#include "reports/reproducer/reproducer.h"

namespace tosaic {

// driver.c, to be linked with the LLVM IR of the program's function @test (llvm.emit_c_interface), its malloc, free,
// calloc and aligned_alloc wrapped (-Wl,--wrap=malloc,...). Prints "diverges: ..." (exit status 1) or "conforms" (0).
std::string DriverText(const Reproduction& reproduction);

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_REPRODUCER_DRIVER_H_
