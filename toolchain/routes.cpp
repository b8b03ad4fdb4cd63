// The table of routes. Pipelines from mlir-notes.md; buffer-alignment=0 makes allocations exact.
#include "toolchain/toolchain.h"

#define TOSA_TO_BUFFERS                                                                                     \
  "builtin.module(func.func(tosa-infer-shapes,tosa-make-broadcastable,tosa-to-linalg-named,tosa-to-linalg," \
  "tosa-to-arith{include-apply-rescale=true},tosa-to-tensor),"                                              \
  "one-shot-bufferize{bufferize-function-boundaries=true "                                                  \
  "function-boundary-type-conversion=identity-layout-map buffer-alignment=0},"
#define BUFFERS_TO_LOOPS "func.func(convert-linalg-to-loops,lower-affine,convert-scf-to-cf,arith-expand),"
#define SCALARS_TO_LLVM                                                                                   \
  "convert-math-to-llvm,convert-math-to-libm,expand-strided-metadata,lower-affine,convert-arith-to-llvm," \
  "finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"

namespace tosaic {
namespace {

constexpr Route kRoutes[] = {
    {.name = "loops",
     .pipeline = TOSA_TO_BUFFERS BUFFERS_TO_LOOPS SCALARS_TO_LLVM,
     .exercises = "TOSA to linalg to scf loops, libm"},
    {.name = "loops-dealloc",
     .pipeline = TOSA_TO_BUFFERS
     "buffer-deallocation-pipeline,convert-bufferization-to-memref," BUFFERS_TO_LOOPS SCALARS_TO_LLVM,
     .deallocates = true,
     .exercises = "the same with buffer deallocation: leaks"},
    // Float arithmetic of `arith` becomes calls of the library libmlir_apfloat_wrappers. fp8 has no other way here.
    {.name = "apfloat",
     .pipeline = TOSA_TO_BUFFERS BUFFERS_TO_LOOPS "convert-arith-to-apfloat," SCALARS_TO_LLVM,
     .exercises = "loops with float arithmetic in software: fp8, and APFloat itself"},
    // Without tosa-infer-shapes, which would rewrite the types first: the RFC's lowering as it is.
    {.name = "contract",
     .pipeline = "builtin.module(func.func(tosa-to-linalg))",
     .extracts = true,
     .exercises = "what the IR looks like after tosa-to-linalg alone"},
};

}  // namespace

absl::Span<const Route> AllRoutes() { return kRoutes; }

const Route* FindRoute(absl::string_view name) {
  for (const Route& route : kRoutes) {
    if (route.name == name) return &route;
  }
  return nullptr;
}

}  // namespace tosaic
