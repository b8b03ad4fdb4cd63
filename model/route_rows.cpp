// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/route_rows.h"

#include "absl/strings/str_cat.h"
#include "model/pass_sequence.h"

namespace tosaic {
namespace {

std::string OnFunctions(absl::string_view passes) { return absl::StrCat("func.func(", passes, ")"); }

// Options that not every MLIR has are arguments; the other options have one text for all.
std::string ToBuffers(absl::string_view first_options, absl::string_view last_options) {
  return absl::StrCat("one-shot-bufferize{bufferize-function-boundaries=true ", first_options,
                      "function-boundary-type-conversion=identity-layout-map", last_options, "}");
}
// buffer-alignment=0 makes allocations exact.
std::string ToBuffersAligned(int bytes) { return ToBuffers("", absl::StrCat(" buffer-alignment=", bytes)); }

// `on_scalars`: passes on the loops' bodies, each followed by a comma.
std::string ToLoops(absl::string_view passes, absl::string_view on_scalars = "") {
  return OnFunctions(absl::StrCat(passes, ",convert-scf-to-cf,", on_scalars, "arith-expand"));
}

constexpr absl::string_view kMathToLlvm = "convert-math-to-llvm,convert-math-to-libm";
// `last`: the passes that convert the dialects that are left.
std::string ToLlvm(absl::string_view last = "convert-to-llvm") {
  return absl::StrCat("expand-strided-metadata,lower-affine,", last, ",reconcile-unrealized-casts");
}
std::string ByDialect(absl::string_view index_to_llvm, absl::string_view memref_to_llvm = "finalize-memref-to-llvm") {
  return absl::StrCat(index_to_llvm, "convert-arith-to-llvm,", memref_to_llvm,
                      ",convert-func-to-llvm,convert-cf-to-llvm");
}
std::string ScalarsToLlvm(absl::string_view rest = ToLlvm()) { return absl::StrCat(kMathToLlvm, ",", rest); }
// Math goes before vectors, because a function of libm takes a vector's elements one by one.
std::string VectorsToLlvm() { return ScalarsToLlvm("convert-vector-to-llvm," + ToLlvm()); }

constexpr absl::string_view kShapes = "tosa-infer-shapes,tosa-make-broadcastable";
std::string RestOfTosa(absl::string_view options = "") {
  return absl::StrCat("tosa-to-arith{include-apply-rescale=true", options, "},tosa-to-tensor");
}
std::string ToLinalg(absl::string_view arith_options = "") {
  return OnFunctions(absl::StrCat(kShapes, ",tosa-to-linalg-named,tosa-to-linalg,", RestOfTosa(arith_options)));
}

constexpr absl::string_view kFromCategory = ",linalg-morph-ops{category-to-generic=true}";

// The target has every extension and no level, because this route does not test what the pipeline's own tosa-validate
// refuses.
std::string Upstream(absl::string_view options) {
  return absl::StrCat(
      "tosa-attach-target{specification_version=1.1.draft level=none profiles=pro_int,pro_fp "
      "extensions=int4,int16,int64,bf16,fp8e4m3,fp8e5m2,doubleround,inexactround},",
      OnFunctions(kShapes), ",tosa-to-linalg-pipeline", options, ",", OnFunctions(RestOfTosa()));
}

// Routes that run a group of passes on TOSA before the default route.
RouteRow After(absl::string_view name, absl::string_view passes, absl::string_view exercises,
               Dialect since = kCanonicalDialect) {
  return {{.name = name, .exercises = exercises, .weight = 1}, {{&Segments::on_tosa, OnFunctions(passes)}}, since};
}

}  // namespace

Segments Loops() {
  return {.to_linalg = ToLinalg(),
          .to_buffers = ToBuffersAligned(0),
          .to_loops = ToLoops("convert-linalg-to-loops"),
          .to_llvm = ScalarsToLlvm()};
}

const std::vector<RoutesOfVersion>& Versions() {
  static const auto& versions = *new std::vector<RoutesOfVersion>{
      // The pipeline attaches its own target, 1.0 at level 8k, and checks the program against it unless told not to.
      // The named ops on the way to category ops no longer exist there.
      {Dialect::k24,
       0,
       {},
       {{"upstream", {{&Segments::to_linalg, Upstream("{validation=false}")}}},
        {"category", {{&Segments::on_tensors, OnFunctions(absl::StrCat(kMorphToCategory, kFromCategory))}}},
        {"category-loops", {{&Segments::on_tensors, OnFunctions(kMorphToCategory)}}},
        {"category-contract", {{&Segments::on_tensors, OnFunctions(kMorphToCategory)}}}}},
      {Dialect::k19,
       64,
       {{&Segments::to_buffers, ToBuffers("", "")}, {&Segments::to_llvm, ScalarsToLlvm(ToLlvm(ByDialect("")))}}},
      {Dialect::k16,
       64,
       {{&Segments::to_buffers,
         "func.func(empty-tensor-to-alloc-tensor)," + ToBuffers("allow-return-allocs=true create-deallocs=false ", "")},
        {&Segments::to_llvm, ScalarsToLlvm(ToLlvm(ByDialect("", "convert-memref-to-llvm")))}}},
  };
  return versions;
}

const std::vector<RouteRow>& Rows() {
  using S = Segments;
  static const auto& rows = *new std::vector<RouteRow>{
      {{.name = "loops", .exercises = "TOSA to linalg to scf loops, libm; LLVM at -O0 for a plain CPU", .weight = 50},
       {},
       Dialect::k16},
      {{.name = "loops-dealloc",
        .exercises = "`loops` with buffer deallocation: leaks",
        .weight = 4,
        .deallocates = true},
       {{&S::on_buffers, "buffer-deallocation-pipeline,convert-bufferization-to-memref"}}},
      {{.name = "dialect-by-dialect",
        .exercises = "`loops` with a pass for each dialect on the way to LLVM, instead of `convert-to-llvm`",
        .weight = 4},
       {{&S::to_llvm, ScalarsToLlvm(ToLlvm(ByDialect("convert-index-to-llvm,")))}}},
      {{.name = "canonicalized",
        .exercises = "TOSA's folders, canonicalizers, constant folding and optional decompositions",
        .weight = 12},
       {{&S::on_tosa,
         OnFunctions("canonicalize,tosa-layerwise-constant-fold,tosa-optional-decompositions,canonicalize,cse")},
        {&S::on_tensors, OnFunctions("canonicalize,cse")}},
       Dialect::k16},
      {{.name = "use-32-bit",
        .exercises = "`tosa-to-arith` with `use-32-bit`: a product of 64 bits in halves",
        .weight = 2},
       {{&S::to_linalg, ToLinalg(" use-32-bit=true")}}},
      After("after-canonicalize", "canonicalize", "TOSA's folders and canonicalizers alone"),
      After("after-constant-fold", "tosa-layerwise-constant-fold", "`tosa-layerwise-constant-fold` alone"),
      After("after-decompositions", "tosa-optional-decompositions", "`tosa-optional-decompositions` alone"),
      After("after-make-broadcastable", "tosa-make-broadcastable", "`tosa-make-broadcastable` before shape inference"),
      After("after-cse", "cse", "common subexpressions of TOSA"),
      After("after-downgrade", "tosa-downgrade-1-1-to-1-0", "ops of the draft of 1.1 as ops of 1.0", Dialect::k24),
      {{.name = "affine-loops", .exercises = "linalg to affine loops", .weight = 2},
       {{&S::to_loops, ToLoops("convert-linalg-to-affine-loops,lower-affine")}},
       Dialect::k16},
      {{.name = "parallel-loops", .exercises = "linalg to `scf.parallel`, run in sequence", .weight = 2},
       {{&S::to_loops, ToLoops("convert-linalg-to-parallel-loops")}},
       Dialect::k16},
      {{.name = "fused", .exercises = "elementwise fusion", .weight = 4},
       {{&S::on_tensors, OnFunctions("linalg-fuse-elementwise-ops")}},
       Dialect::k16},
      {{.name = "unit-dims", .exercises = "unit dimensions folded away", .weight = 4},
       {{&S::on_tensors, OnFunctions("linalg-fold-unit-extent-dims")}},
       Dialect::k16},
      {{.name = "named", .exercises = "`linalg.generic` to named ops and back", .weight = 3},
       {{&S::on_tensors, OnFunctions("linalg-specialize-generic-ops,linalg-generalize-named-ops")}}},
      {{.name = "category",
        .exercises = "`linalg.generic` to category ops as `linalg.elementwise`, and back (only if asked for)",
        .weight = 0},
       {{&S::on_tensors, OnFunctions(absl::StrCat(kToCategory, kFromCategory))}}},
      {{.name = "category-loops",
        .exercises = "`linalg.generic` to category ops, and those to loops (only if asked for)",
        .weight = 0},
       {{&S::on_tensors, OnFunctions(kToCategory)}}},
      {{.name = "affine-vectorized",
        .exercises = "`affine-super-vectorize`: affine loops in vectors of four",
        .weight = 3},
       {{&S::to_loops, ToLoops("convert-linalg-to-affine-loops,affine-super-vectorize{virtual-vector-size=4},"
                               "lower-affine,convert-vector-to-scf")},
        {&S::to_llvm, VectorsToLlvm()}}},
      {{.name = "linalg-vectorized",
        .exercises = "`linalg::vectorize`: small static linalg ops as one vector",
        .weight = 3,
        .in_process = true},
       {{&S::on_tensors, OnFunctions("tosaic-vectorize-linalg")},
        {&S::to_loops, ToLoops("convert-vector-to-scf{full-unroll=true},convert-linalg-to-loops")},
        {&S::to_llvm, VectorsToLlvm()}}},
      {{.name = "math-expanded",
        .exercises = "`math-expand-ops`: math as arithmetic, without libm",
        .weight = 3,
        .approximates = true},
       {{&S::to_loops, ToLoops("convert-linalg-to-loops", "math-expand-ops,")}}},
      {{.name = "math-polynomial",
        .exercises = "polynomial approximations of math",
        .weight = 2,
        .approximates = true,
        .in_process = true},
       {{&S::to_loops, ToLoops("convert-linalg-to-loops", "tosaic-polynomial-math,")}}},
      {{.name = "aligned",
        .exercises = "buffers aligned to 64 bytes, with canaries in the slack",
        .weight = 1,
        .alignment = 64},
       {{&S::to_buffers, ToBuffersAligned(64)}}},
      {{.name = "verified",
        .exercises = "run-time verification: a run whose extents do not fit must stop, and no other",
        .weight = 4,
        .verifies = true},
       {{&S::on_buffers, "generate-runtime-verification"}}},
      {{.name = "library-call",
        .exercises =
            "each `linalg.generic` as a call of an external library, which the oracle's scalar functions play: "
            "the views that it gets are judged. The function knows an op by its location, which a pass put into the "
            "route must keep",
        .weight = 2,
        .calls_library = true,
        .in_process = true},
       {{&S::on_tensors, "func.func(linalg-generalize-named-ops),tosaic-call-library"},
        {&S::to_loops, "convert-linalg-to-std,func.func(lower-affine,convert-scf-to-cf,arith-expand)"}}},
      {{.name = "counted",
        .exercises = "LLVM IR that counts the stores to each byte: the whole output is written, once",
        .weight = 2,
        .counts_stores = true}},
      {{.name = "upstream", .exercises = "upstream's own `tosa-to-linalg-pipeline`", .weight = 3},
       {{&S::to_linalg, Upstream("")}}},
      {{.name = "optimized", .exercises = "LLVM at -O2", .weight = 1, .optimized = true}, {}, Dialect::k16},
      {{.name = "host-cpu",
        .exercises =
            "LLVM at -O2 for this machine's CPU (only if asked for: results may differ from machine to machine)",
        .weight = 0,
        .optimized = true,
        .host_cpu = true}},
      // Float arithmetic of `arith` becomes calls of the library libmlir_apfloat_wrappers. Only this route can run fp8.
      {{.name = "apfloat", .exercises = "float arithmetic in software: fp8, and APFloat itself", .weight = 4},
       {{&S::on_loops, "convert-arith-to-apfloat"}}},
      // This is the RFC's lowering alone, without tosa-infer-shapes, which would first rewrite the types.
      {{.name = "contract",
        .exercises = "`tosa-to-linalg` alone: the IR itself is judged",
        .weight = 4,
        .extracts = true,
        .in_process = true},
       {{&S::to_linalg, OnFunctions("tosa-to-linalg")}, {&S::to_buffers, ""}, {&S::to_loops, ""}, {&S::to_llvm, ""}}},
      {{.name = "transposed-contract",
        .exercises =
            "`contract` behind two `tosa.transpose` of first operands, there and back: a lowering may read through "
            "them by its maps (only if asked for)",
        .weight = 0,
        .extracts = true,
        .in_process = true},
       {{&S::on_tosa, OnFunctions("tosaic-transpose-operands")},
        {&S::to_linalg, OnFunctions("tosa-to-linalg-named,tosa-to-linalg")},
        {&S::to_buffers, ""},
        {&S::to_loops, ""},
        {&S::to_llvm, ""}}},
      {{.name = "category-contract",
        .exercises = "`contract`, then `linalg.generic` to category ops: that IR is judged (only if asked for)",
        .weight = 0,
        .extracts = true,
        .in_process = true},
       {{&S::to_linalg, OnFunctions("tosa-to-linalg")},
        {&S::on_tensors, OnFunctions(kToCategory)},
        {&S::to_buffers, ""},
        {&S::to_loops, ""},
        {&S::to_llvm, ""}}},
      {{.name = "to-spirv",
        .exercises =
            "`tosa-to-spirv-tosa` alone: the graph of SPIR-V's TOSA instructions is judged (only if asked for)",
        .weight = 0,
        .makes_graph = true,
        .in_process = true},
       {{&S::to_linalg, "tosa-to-spirv-tosa"}, {&S::to_buffers, ""}, {&S::to_loops, ""}, {&S::to_llvm, ""}},
       Dialect::k24},
      // Its segments name the stages of pass_sequence.h.
      {{.name = kSequenceRoute,
        .exercises = "passes that each case draws, in an order of its own, between those of `loops`; alone: all of "
                     "them (only if "
                     "asked for)",
        .weight = 0},
       {{&S::on_tosa, OnFunctions("@tosa")},
        {&S::on_tensors, OnFunctions("@tensors")},
        {&S::on_buffers, OnFunctions("@buffers") + ",@memory,convert-bufferization-to-memref"},
        {&S::to_loops,
         OnFunctions("@to-loops,convert-linalg-to-loops,@affine,lower-affine,@loops,convert-vector-to-scf,"
                     "convert-scf-to-cf,@scalars,arith-expand")},
        {&S::to_llvm, VectorsToLlvm() + ",@llvm"}}},
  };
  return rows;
}

}  // namespace tosaic
