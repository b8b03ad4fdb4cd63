// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/runtime_symbols.h"

#include <signal.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>

#define TOSAIC_LIBM_UNARY_LIST(X)                                                                                 \
  X(ceil), X(cos), X(erf), X(exp), X(exp2), X(expm1), X(fabs), X(floor), X(log), X(log1p), X(log2), X(nearbyint), \
      X(rint), X(round), X(roundeven), X(sin), X(sqrt), X(tanh), X(trunc)
#define TOSAIC_LIBM_BINARY_LIST(X) X(copysign), X(fmax), X(fmin), X(fmod), X(pow)
// Conversion helpers of compiler-rt.
#define TOSAIC_COMPILER_RT_LIST(X)                                                                         \
  X(__extendhfsf2), X(__extendhfdf2), X(__truncsfhf2), X(__truncdfhf2), X(__extendbfsf2), X(__truncsfbf2), \
      X(__truncdfbf2)
// MLIR's wrappers of APFloat, those that convert-arith-to-apfloat calls.
#define TOSAIC_APFLOAT_LIST(X)                                                                                     \
  X(_mlir_apfloat_add), X(_mlir_apfloat_compare), X(_mlir_apfloat_convert), X(_mlir_apfloat_convert_from_int),     \
      X(_mlir_apfloat_convert_to_int), X(_mlir_apfloat_divide), X(_mlir_apfloat_maximum), X(_mlir_apfloat_maxnum), \
      X(_mlir_apfloat_minimum), X(_mlir_apfloat_minnum), X(_mlir_apfloat_multiply), X(_mlir_apfloat_neg),          \
      X(_mlir_apfloat_remainder), X(_mlir_apfloat_subtract)

// Of both only the addresses are taken: the real signatures use _Float16 and __bf16.
#define TOSAIC_DECLARED(name) name()
extern "C" {
void TOSAIC_COMPILER_RT_LIST(TOSAIC_DECLARED);
void TOSAIC_APFLOAT_LIST(TOSAIC_DECLARED);
}

namespace tosaic {
namespace {

GuardedMemory* memory = nullptr;

// Without the C library's lock, which nobody would release once the signal is trapped.
void Abort() { raise(SIGABRT); }

void* Guarded(size_t alignment, size_t bytes, bool zeroed = false) {
  void* pointer = memory->Allocate(bytes, alignment, zeroed);
  // Generated code does not check: the executor sees why it ends here.
  if (pointer == nullptr) Abort();
  return pointer;
}

void* GuardedAlignedAlloc(size_t alignment, size_t bytes) { return Guarded(alignment, bytes); }
void* GuardedMalloc(size_t bytes) { return Guarded(1, bytes); }
// LLVM makes calloc of malloc and memset at -O2.
void* GuardedCalloc(size_t count, size_t bytes) { return Guarded(1, count * bytes, /*zeroed=*/true); }
int GuardedPosixMemalign(void** pointer, size_t alignment, size_t bytes) {
  *pointer = Guarded(alignment, bytes);
  return 0;
}

void GuardedFree(void* pointer) { memory->Free(pointer); }

LibraryCaller* library = nullptr;

void CallLibrary(int64_t number, const int64_t* const* descriptors) { library->Call(number, descriptors); }

void CountStore(const void* pointer, size_t bytes) { memory->CountStore(pointer, bytes); }

// A ranked memref as MLIR's C runtime takes it; `sizes_and_strides`: `rank` sizes, then as many strides, in elements.
struct Memref {
  char* allocated;
  char* aligned;
  int64_t offset;
  int64_t sizes_and_strides[1];
};
struct UnrankedMemref {
  int64_t rank;
  Memref* ranked;
};

void CopyElements(size_t bytes, int64_t rank, const int64_t* sizes, const int64_t* from_strides, const char* from,
                  const int64_t* to_strides, char* to) {
  if (rank == 0) {
    std::memmove(to, from, bytes);
    return CountStore(to, bytes);
  }
  const auto stride_of = [&](int64_t elements) { return elements * static_cast<int64_t>(bytes); };
  for (int64_t i = 0; i < sizes[0]; ++i) {
    CopyElements(bytes, rank - 1, sizes + 1, from_strides + 1, from + i * stride_of(from_strides[0]), to_strides + 1,
                 to + i * stride_of(to_strides[0]));
  }
}

// What memref.copy becomes where a memref is strided. Both have the same shape.
void CopyMemref(int64_t bytes, const UnrankedMemref* from, const UnrankedMemref* to) {
  const auto first = [&](const Memref& memref) { return memref.aligned + memref.offset * bytes; };
  const int64_t *from_sizes = from->ranked->sizes_and_strides, *to_sizes = to->ranked->sizes_and_strides;
  CopyElements(static_cast<size_t>(bytes), from->rank, from_sizes, from_sizes + from->rank, first(*from->ranked),
               to_sizes + to->rank, first(*to->ranked));
}

uint64_t poison_taken_for = 0;
std::vector<MadePoison>* made_poison = nullptr;

uint64_t PoisonTakenFor() { return poison_taken_for; }

void TellPoison(uint64_t number, uint64_t is_poison, uint64_t first, uint64_t second) {
  if (is_poison == 0) return;
  for (const MadePoison& poison : *made_poison) {
    if (poison.maker == number) return;
  }
  made_poison->push_back({.maker = number, .bits = {first, second}});
}

std::string message;

int Puts(const char* text) {
  message += text;
  message += '\n';
  return 0;
}

template <typename Function>
void* Address(Function* function) {
  return reinterpret_cast<void*>(function);
}

using Unary32 = float(float);
using Unary64 = double(double);
using Binary32 = float(float, float);
using Binary64 = double(double, double);

#define TOSAIC_LIBM_UNARY(name) \
  {#name "f", Address<Unary32>(::name##f)}, { #name, Address<Unary64>(::name) }
#define TOSAIC_LIBM_BINARY(name) \
  {#name "f", Address<Binary32>(::name##f)}, { #name, Address<Binary64>(::name) }
#define TOSAIC_HELPER(name) {#name, Address(::name)}

const Executor::Symbol kSymbols[] = {
    {"malloc", Address(GuardedMalloc)},
    {"aligned_alloc", Address(GuardedAlignedAlloc)},
    {"calloc", Address(GuardedCalloc)},
    {"posix_memalign", Address(GuardedPosixMemalign)},
    {"free", Address(GuardedFree)},
    {"_mlir_memref_to_llvm_alloc", Address(GuardedMalloc)},
    {"_mlir_memref_to_llvm_aligned_alloc", Address(GuardedAlignedAlloc)},
    {"_mlir_memref_to_llvm_free", Address(GuardedFree)},
    {"memrefCopy", Address(CopyMemref)},
    {"abort", Address(Abort)},
    {"puts", Address(Puts)},
    {kLibraryCallSymbol, Address(CallLibrary)},
    {kCountStoreSymbol, Address(CountStore)},
    {kPoisonTakenForSymbol, Address(PoisonTakenFor)},
    {kMadePoisonSymbol, Address(TellPoison)},
    {"memcpy", Address<void*(void*, const void*, size_t)>(std::memcpy)},
    {"memmove", Address<void*(void*, const void*, size_t)>(std::memmove)},
    {"memset", Address<void*(void*, int, size_t)>(std::memset)},
    TOSAIC_LIBM_UNARY_LIST(TOSAIC_LIBM_UNARY),
    TOSAIC_LIBM_BINARY_LIST(TOSAIC_LIBM_BINARY),
    {"fmaf", Address<float(float, float, float)>(::fmaf)},
    {"fma", Address<double(double, double, double)>(::fma)},
    TOSAIC_COMPILER_RT_LIST(TOSAIC_HELPER),
#ifdef TOSAIC_HAS_APFLOAT_WRAPPERS
    TOSAIC_APFLOAT_LIST(TOSAIC_HELPER),
#endif
};

}  // namespace

void SetRuntime(GuardedMemory* guarded, LibraryCaller* caller, uint8_t taken_for_poison,
                std::vector<MadePoison>* poisons) {
  memory = guarded;
  library = caller;
  poison_taken_for = uint64_t{0x0101010101010101} * taken_for_poison;
  made_poison = poisons;
}

std::string TakeRuntimeMessage() { return std::exchange(message, ""); }

absl::Span<const Executor::Symbol> Executor::RuntimeSymbols() { return kSymbols; }

}  // namespace tosaic
