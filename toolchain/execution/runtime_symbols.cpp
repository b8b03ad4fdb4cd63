// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/runtime_symbols.h"

#include <signal.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "toolchain/execution/memref_descriptor.h"

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

// Code calls it in place of memref.copy where a memref is strided. Both are unranked and have the same shape.
void CopyMemref(int64_t bytes, const int64_t* from, const int64_t* to) {
  const auto described = [](const int64_t* unranked) {
    return ReadDescriptor(reinterpret_cast<const int64_t*>(unranked[1]), static_cast<size_t>(unranked[0]));
  };
  const auto width = static_cast<size_t>(bytes);
  CopyBetween(described(from), described(to), width, [&](const void* element) { CountStore(element, width); });
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
