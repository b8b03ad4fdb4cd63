// The table of routes. Pipelines from mlir-notes.md; buffer-alignment=0 makes allocations exact.
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "toolchain/toolchain.h"

#define TOSA_TO_LINALG                                                                       \
  "func.func(tosa-infer-shapes,tosa-make-broadcastable,tosa-to-linalg-named,tosa-to-linalg," \
  "tosa-to-arith{include-apply-rescale=true},tosa-to-tensor),"
#define TO_BUFFERS_ALIGNED(alignment)                      \
  "one-shot-bufferize{bufferize-function-boundaries=true " \
  "function-boundary-type-conversion=identity-layout-map buffer-alignment=" alignment "},"
#define TO_BUFFERS TO_BUFFERS_ALIGNED("0")
#define TO_LOOPS_BY(pass) "func.func(" pass ",lower-affine,convert-scf-to-cf,arith-expand),"
#define TO_LOOPS TO_LOOPS_BY("convert-linalg-to-loops")
#define MATH_TO_LLVM "convert-math-to-llvm,convert-math-to-libm,"
#define REST_TO_LLVM                                                                  \
  "expand-strided-metadata,lower-affine,convert-index-to-llvm,convert-arith-to-llvm," \
  "finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts"
#define SCALARS_TO_LLVM MATH_TO_LLVM REST_TO_LLVM
// After math: a function of libm takes a vector's elements one by one.
#define VECTORS_TO_LLVM MATH_TO_LLVM "convert-vector-to-llvm,convert-ub-to-llvm," REST_TO_LLVM
// Most routes differ from `loops` in one place: on tensors, on buffers before the loops, or from the loops on.
#define LOWERED(on_tensors, on_buffers, from_loops) \
  "builtin.module(" TOSA_TO_LINALG on_tensors TO_BUFFERS on_buffers from_loops ")"
#define TO_LLVM TO_LOOPS SCALARS_TO_LLVM
// The default route behind one pass group on TOSA.
#define AFTER(group) "builtin.module(func.func(" group ")," TOSA_TO_LINALG TO_BUFFERS TO_LLVM ")"

namespace tosaic {
namespace {

constexpr Route kRoutes[] = {
    {.name = "loops",
     .pipeline = LOWERED("", "", TO_LLVM),
     .exercises = "TOSA to linalg to scf loops, libm; LLVM at -O0 for a plain CPU",
     .weight = 50},
    {.name = "loops-dealloc",
     .pipeline = LOWERED("", "buffer-deallocation-pipeline,convert-bufferization-to-memref,", TO_LLVM),
     .exercises = "the same with buffer deallocation: leaks",
     .weight = 4,
     .deallocates = true},
    {.name = "canonicalized",
     .pipeline = "builtin.module(func.func(canonicalize,tosa-layerwise-constant-fold,tosa-optional-decompositions,"
                 "canonicalize,cse)," TOSA_TO_LINALG "func.func(canonicalize,cse)," TO_BUFFERS TO_LLVM ")",
     .exercises = "folders, canonicalizers and optional decompositions of TOSA",
     .weight = 12},
    {.name = "after-canonicalize",
     .pipeline = AFTER("canonicalize"),
     .exercises = "folders and canonicalizers of TOSA alone",
     .weight = 1},
    {.name = "after-constant-fold",
     .pipeline = AFTER("tosa-layerwise-constant-fold"),
     .exercises = "tosa-layerwise-constant-fold alone",
     .weight = 1},
    {.name = "after-decompositions",
     .pipeline = AFTER("tosa-optional-decompositions"),
     .exercises = "tosa-optional-decompositions alone",
     .weight = 1},
    {.name = "after-make-broadcastable",
     .pipeline = AFTER("tosa-make-broadcastable"),
     .exercises = "tosa-make-broadcastable before shape inference",
     .weight = 1},
    {.name = "after-cse", .pipeline = AFTER("cse"), .exercises = "common subexpressions of TOSA", .weight = 1},
    {.name = "affine-loops",
     .pipeline = LOWERED("", "", TO_LOOPS_BY("convert-linalg-to-affine-loops") SCALARS_TO_LLVM),
     .exercises = "linalg to affine loops",
     .weight = 2},
    {.name = "parallel-loops",
     .pipeline = LOWERED("", "", TO_LOOPS_BY("convert-linalg-to-parallel-loops") SCALARS_TO_LLVM),
     .exercises = "linalg to scf.parallel, run in sequence",
     .weight = 2},
    {.name = "fused",
     .pipeline = LOWERED("func.func(linalg-fuse-elementwise-ops),", "", TO_LLVM),
     .exercises = "elementwise fusion",
     .weight = 4},
    {.name = "unit-dims",
     .pipeline = LOWERED("func.func(linalg-fold-unit-extent-dims),", "", TO_LLVM),
     .exercises = "unit dimensions folded away",
     .weight = 4},
    {.name = "named",
     .pipeline = LOWERED("func.func(linalg-specialize-generic-ops,linalg-generalize-named-ops),", "", TO_LLVM),
     .exercises = "linalg.generic to named ops and back",
     .weight = 3},
    {.name = "affine-vectorized",
     .pipeline = LOWERED("", "",
                         TO_LOOPS_BY("convert-linalg-to-affine-loops,affine-super-vectorize{virtual-vector-size=4},"
                                     "lower-affine,convert-vector-to-scf") VECTORS_TO_LLVM),
     .exercises = "affine loops in vectors of four",
     .weight = 3},
    {.name = "linalg-vectorized",
     .pipeline =
         LOWERED("func.func(tosaic-vectorize-linalg),", "",
                 TO_LOOPS_BY("convert-vector-to-scf{full-unroll=true},convert-linalg-to-loops") VECTORS_TO_LLVM),
     .exercises = "small static linalg ops as one vector (linalg::vectorize)",
     .weight = 3,
     .in_process = true},
    {.name = "math-expanded",
     .pipeline =
         LOWERED("", "",
                 "func.func(convert-linalg-to-loops,lower-affine,convert-scf-to-cf,math-expand-ops,arith-expand)"
                 "," SCALARS_TO_LLVM),
     .exercises = "math-expand-ops: math as arithmetic",
     .weight = 3,
     .approximates = true},
    {.name = "math-polynomial",
     .pipeline = LOWERED("", "",
                         "func.func(convert-linalg-to-loops,lower-affine,convert-scf-to-cf,tosaic-polynomial-math,"
                         "arith-expand)," SCALARS_TO_LLVM),
     .exercises = "polynomial approximations of math",
     .weight = 2,
     .approximates = true,
     .in_process = true},
    {.name = "aligned",
     .pipeline = "builtin.module(" TOSA_TO_LINALG TO_BUFFERS_ALIGNED("64") TO_LLVM ")",
     .exercises = "buffers aligned to 64 bytes, with canaries in the slack",
     .weight = 1,
     .alignment = 64},
    {.name = "verified",
     .pipeline = LOWERED("", "generate-runtime-verification,", TO_LLVM),
     .exercises = "run-time verification of extents",
     .weight = 4,
     .verifies = true},
    {.name = "library-call",
     .pipeline = "builtin.module(" TOSA_TO_LINALG "tosaic-call-library," TO_BUFFERS
                 "convert-linalg-to-std,func.func(lower-affine,convert-scf-to-cf,arith-expand)," SCALARS_TO_LLVM ")",
     .exercises = "each linalg.generic as a call of an external library, which the oracle's functions play",
     .weight = 2,
     .calls_library = true,
     .in_process = true},
    {.name = "counted",
     .pipeline = LOWERED("", "", TO_LLVM),
     .exercises = "LLVM IR that counts the stores to each byte: the whole output is written, once",
     .weight = 2,
     .counts_stores = true},
    {.name = "upstream",
     .pipeline =
         "builtin.module(tosa-attach-target{specification_version=1.1.draft level=8k profiles=pro_int,pro_fp "
         "extensions=int4,int16,int64,bf16,fp8e4m3,fp8e5m2},func.func(tosa-infer-shapes,tosa-make-broadcastable)"
         ",tosa-to-linalg-pipeline,func.func(tosa-to-arith{include-apply-rescale=true},tosa-to-tensor)"
         "," TO_BUFFERS TO_LLVM ")",
     .exercises = "upstream's own tosa-to-linalg-pipeline",
     .weight = 3},
    {.name = "optimized",
     .pipeline = LOWERED("", "", TO_LLVM),
     .exercises = "LLVM at -O2",
     .weight = 2,
     .optimized = true},
    {.name = "host-cpu",
     .pipeline = LOWERED("", "", TO_LLVM),
     .exercises = "LLVM at -O2 for this machine's CPU",
     .weight = 0,
     .optimized = true,
     .host_cpu = true},
    // Float arithmetic of `arith` becomes calls of the library libmlir_apfloat_wrappers. fp8 has no other way here.
    {.name = "apfloat",
     .pipeline = LOWERED("", "", TO_LOOPS "convert-arith-to-apfloat," SCALARS_TO_LLVM),
     .exercises = "loops with float arithmetic in software: fp8, and APFloat itself",
     .weight = 2},
    // Without tosa-infer-shapes, which would rewrite the types first: the RFC's lowering as it is.
    {.name = "contract",
     .pipeline = "builtin.module(func.func(tosa-to-linalg))",
     .exercises = "what the IR looks like after tosa-to-linalg alone",
     .weight = 4,
     .extracts = true,
     .in_process = true},
};

// Older versions align to 64 bytes whatever one asks for, and so guarded memory looks for canaries there. Names mean
// what they mean above.
#define TO_BUFFERS_19                                      \
  "one-shot-bufferize{bufferize-function-boundaries=true " \
  "function-boundary-type-conversion=identity-layout-map},"
#define TO_BUFFERS_16                                                                              \
  "func.func(empty-tensor-to-alloc-tensor),one-shot-bufferize{bufferize-function-boundaries=true " \
  "allow-return-allocs=true create-deallocs=false function-boundary-type-conversion=identity-layout-map},"
#define TO_LLVM_OLD(loops, memref_to_llvm)                                                  \
  TO_LOOPS_BY(loops)                                                                        \
  MATH_TO_LLVM "expand-strided-metadata,lower-affine,convert-arith-to-llvm," memref_to_llvm \
               ",convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"
#define FROM_LOOPS_19(loops) TO_LLVM_OLD(loops, "finalize-memref-to-llvm")
#define FROM_LOOPS_16(loops) TO_LLVM_OLD(loops, "convert-memref-to-llvm")
#define FOLDED "func.func(canonicalize,tosa-layerwise-constant-fold,tosa-optional-decompositions,canonicalize,cse),"

struct OlderRoute {
  Dialect dialect;
  Route route;
};

constexpr OlderRoute kOlderRoutes[] = {
#define OLDER_ROUTES(dialect_name, TO_BUFFERS_OLD, FROM_LOOPS)                                                       \
  {Dialect::dialect_name,                                                                                            \
   {.name = "loops",                                                                                                 \
    .pipeline = "builtin.module(" TOSA_TO_LINALG TO_BUFFERS_OLD FROM_LOOPS("convert-linalg-to-loops"),               \
    .exercises = "TOSA to linalg to scf loops, libm; LLVM at -O0 for a plain CPU",                                   \
    .weight = 50,                                                                                                    \
    .alignment = 64}},                                                                                               \
      {Dialect::dialect_name,                                                                                        \
       {.name = "canonicalized",                                                                                     \
        .pipeline = "builtin.module(" FOLDED TOSA_TO_LINALG                                                          \
                    "func.func(canonicalize,cse)," TO_BUFFERS_OLD FROM_LOOPS("convert-linalg-to-loops"),             \
        .exercises = "folders, canonicalizers and optional decompositions of TOSA",                                  \
        .weight = 12,                                                                                                \
        .alignment = 64}},                                                                                           \
      {Dialect::dialect_name,                                                                                        \
       {.name = "affine-loops",                                                                                      \
        .pipeline = "builtin.module(" TOSA_TO_LINALG TO_BUFFERS_OLD FROM_LOOPS("convert-linalg-to-affine-loops"),    \
        .exercises = "linalg to affine loops",                                                                       \
        .weight = 2,                                                                                                 \
        .alignment = 64}},                                                                                           \
      {Dialect::dialect_name,                                                                                        \
       {.name = "parallel-loops",                                                                                    \
        .pipeline = "builtin.module(" TOSA_TO_LINALG TO_BUFFERS_OLD FROM_LOOPS("convert-linalg-to-parallel-loops"),  \
        .exercises = "linalg to scf.parallel, run in sequence",                                                      \
        .weight = 2,                                                                                                 \
        .alignment = 64}},                                                                                           \
      {Dialect::dialect_name,                                                                                        \
       {.name = "fused",                                                                                             \
        .pipeline = "builtin.module(" TOSA_TO_LINALG                                                                 \
                    "func.func(linalg-fuse-elementwise-ops)," TO_BUFFERS_OLD FROM_LOOPS("convert-linalg-to-loops"),  \
        .exercises = "elementwise fusion",                                                                           \
        .weight = 4,                                                                                                 \
        .alignment = 64}},                                                                                           \
      {Dialect::dialect_name,                                                                                        \
       {.name = "unit-dims",                                                                                         \
        .pipeline = "builtin.module(" TOSA_TO_LINALG                                                                 \
                    "func.func(linalg-fold-unit-extent-dims)," TO_BUFFERS_OLD FROM_LOOPS("convert-linalg-to-loops"), \
        .exercises = "unit dimensions folded away",                                                                  \
        .weight = 4,                                                                                                 \
        .alignment = 64}},                                                                                           \
      {Dialect::dialect_name,                                                                                        \
       {.name = "optimized",                                                                                         \
        .pipeline = "builtin.module(" TOSA_TO_LINALG TO_BUFFERS_OLD FROM_LOOPS("convert-linalg-to-loops"),           \
        .exercises = "LLVM at -O2",                                                                                  \
        .weight = 2,                                                                                                 \
        .alignment = 64,                                                                                             \
        .optimized = true}},
    OLDER_ROUTES(k16, TO_BUFFERS_16, FROM_LOOPS_16) OLDER_ROUTES(k19, TO_BUFFERS_19, FROM_LOOPS_19)};

}  // namespace

absl::Span<const Route> AllRoutes() { return kRoutes; }

const Route* FindRoute(absl::string_view name) {
  for (const Route& route : kRoutes) {
    if (route.name == name) return &route;
  }
  return nullptr;
}

const Route* FindRoute(absl::Span<const Route* const> routes, absl::string_view name) {
  for (const Route* route : routes) {
    if (route->name == name) return route;
  }
  return nullptr;
}

std::vector<const Route*> RoutesOfTools(Dialect dialect) {
  std::vector<const Route*> routes;
  if (dialect == Dialect::k22) {
    for (const Route& route : kRoutes) {
      if (!route.in_process) routes.push_back(&route);
    }
  }
  for (const OlderRoute& older : kOlderRoutes) {
    if (older.dialect == dialect) routes.push_back(&older.route);
  }
  return routes;
}

absl::StatusOr<std::string> InsertPass(absl::string_view pipeline, absl::string_view after, absl::string_view pass) {
  for (size_t at = pipeline.find(after); at != pipeline.npos; at = pipeline.find(after, at + 1)) {
    const size_t end = at + after.size();
    const bool whole = at > 0 && pipeline.find_first_of("(,", at - 1) == at - 1 && end < pipeline.size() &&
                       pipeline.find_first_of(",){", end) == end;
    if (!whole) continue;
    const size_t behind = pipeline[end] == '{' ? pipeline.find('}', end) + 1 : end;
    return absl::StrCat(pipeline.substr(0, behind), ",", pass, pipeline.substr(behind));
  }
  return absl::InvalidArgumentError(absl::StrCat("the pass pipeline '", pipeline, "' has no pass '", after, "'"));
}

}  // namespace tosaic
