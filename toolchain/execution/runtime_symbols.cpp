// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/runtime_symbols.h"

#include <signal.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>

// Conversion helpers of compiler-rt. Only their addresses are taken: their real signatures use _Float16 and __bf16.
extern "C" {
void __extendhfsf2();
void __extendhfdf2();
void __truncsfhf2();
void __truncdfhf2();
void __extendbfsf2();
void __truncsfbf2();
void __truncdfbf2();
}

// MLIR's wrappers of APFloat, those that convert-arith-to-apfloat calls. Likewise only their addresses.
#ifdef TOSAIC_HAS_APFLOAT_WRAPPERS
extern "C" {
void _mlir_apfloat_add();
void _mlir_apfloat_compare();
void _mlir_apfloat_convert();
void _mlir_apfloat_convert_from_int();
void _mlir_apfloat_convert_to_int();
void _mlir_apfloat_divide();
void _mlir_apfloat_maximum();
void _mlir_apfloat_maxnum();
void _mlir_apfloat_minimum();
void _mlir_apfloat_minnum();
void _mlir_apfloat_multiply();
void _mlir_apfloat_neg();
void _mlir_apfloat_remainder();
void _mlir_apfloat_subtract();
}
#endif

namespace tosaic {
namespace {

GuardedMemory* memory = nullptr;

// Without the C library's lock, which nobody would release once the signal is trapped.
void Abort() { raise(SIGABRT); }

void* GuardedAlignedAlloc(size_t alignment, size_t bytes) {
  void* pointer = memory->Allocate(bytes, alignment);
  // Generated code does not check: the executor sees why it ends here.
  if (pointer == nullptr) Abort();
  return pointer;
}

void* GuardedMalloc(size_t bytes) { return GuardedAlignedAlloc(1, bytes); }

// LLVM makes calloc of malloc and memset at -O2.
void* GuardedCalloc(size_t count, size_t bytes) {
  void* pointer = GuardedMalloc(count * bytes);
  std::memset(pointer, 0, count * bytes);
  return pointer;
}

void GuardedFree(void* pointer) { memory->Free(pointer); }

LibraryCaller* library = nullptr;

void CallLibrary(int64_t number, const int64_t* const* descriptors) { library->Call(number, descriptors); }

void CountStore(const void* pointer, size_t bytes) { memory->CountStore(pointer, bytes); }

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
    {"free", Address(GuardedFree)},
    {"abort", Address(Abort)},
    {"puts", Address(Puts)},
    {kLibraryCallSymbol, Address(CallLibrary)},
    {kCountStoreSymbol, Address(CountStore)},
    {kPoisonTakenForSymbol, Address(PoisonTakenFor)},
    {kMadePoisonSymbol, Address(TellPoison)},
    {"memcpy", Address<void*(void*, const void*, size_t)>(std::memcpy)},
    {"memmove", Address<void*(void*, const void*, size_t)>(std::memmove)},
    {"memset", Address<void*(void*, int, size_t)>(std::memset)},
    TOSAIC_LIBM_UNARY(ceil),
    TOSAIC_LIBM_UNARY(cos),
    TOSAIC_LIBM_UNARY(erf),
    TOSAIC_LIBM_UNARY(exp),
    TOSAIC_LIBM_UNARY(exp2),
    TOSAIC_LIBM_UNARY(expm1),
    TOSAIC_LIBM_UNARY(fabs),
    TOSAIC_LIBM_UNARY(floor),
    TOSAIC_LIBM_UNARY(log),
    TOSAIC_LIBM_UNARY(log1p),
    TOSAIC_LIBM_UNARY(log2),
    TOSAIC_LIBM_UNARY(nearbyint),
    TOSAIC_LIBM_UNARY(rint),
    TOSAIC_LIBM_UNARY(round),
    TOSAIC_LIBM_UNARY(roundeven),
    TOSAIC_LIBM_UNARY(sin),
    TOSAIC_LIBM_UNARY(sqrt),
    TOSAIC_LIBM_UNARY(tanh),
    TOSAIC_LIBM_UNARY(trunc),
    TOSAIC_LIBM_BINARY(copysign),
    TOSAIC_LIBM_BINARY(fmax),
    TOSAIC_LIBM_BINARY(fmin),
    TOSAIC_LIBM_BINARY(fmod),
    TOSAIC_LIBM_BINARY(pow),
    {"fmaf", Address<float(float, float, float)>(::fmaf)},
    {"fma", Address<double(double, double, double)>(::fma)},
    TOSAIC_HELPER(__extendhfsf2),
    TOSAIC_HELPER(__extendhfdf2),
    TOSAIC_HELPER(__truncsfhf2),
    TOSAIC_HELPER(__truncdfhf2),
    TOSAIC_HELPER(__extendbfsf2),
    TOSAIC_HELPER(__truncsfbf2),
    TOSAIC_HELPER(__truncdfbf2),
#ifdef TOSAIC_HAS_APFLOAT_WRAPPERS
    TOSAIC_HELPER(_mlir_apfloat_add),
    TOSAIC_HELPER(_mlir_apfloat_compare),
    TOSAIC_HELPER(_mlir_apfloat_convert),
    TOSAIC_HELPER(_mlir_apfloat_convert_from_int),
    TOSAIC_HELPER(_mlir_apfloat_convert_to_int),
    TOSAIC_HELPER(_mlir_apfloat_divide),
    TOSAIC_HELPER(_mlir_apfloat_maximum),
    TOSAIC_HELPER(_mlir_apfloat_maxnum),
    TOSAIC_HELPER(_mlir_apfloat_minimum),
    TOSAIC_HELPER(_mlir_apfloat_minnum),
    TOSAIC_HELPER(_mlir_apfloat_multiply),
    TOSAIC_HELPER(_mlir_apfloat_neg),
    TOSAIC_HELPER(_mlir_apfloat_remainder),
    TOSAIC_HELPER(_mlir_apfloat_subtract),
#endif
};

}  // namespace

void SetRuntimeMemory(GuardedMemory* guarded) { memory = guarded; }

void SetRuntimeLibrary(LibraryCaller* caller) { library = caller; }

void SetRuntimePoison(uint8_t taken_for, std::vector<MadePoison>* poisons) {
  poison_taken_for = uint64_t{0x0101010101010101} * taken_for;
  made_poison = poisons;
}

std::string TakeRuntimeMessage() { return std::exchange(message, ""); }

absl::Span<const Executor::Symbol> GuardedRuntimeSymbols() { return kSymbols; }

}  // namespace tosaic
