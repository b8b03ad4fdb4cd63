// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small library for the tests to watch. What the compiler makes of the functions in C is its own business; the one in
// assembly has blocks that are known. With TOSAIC_PATCHED it is another build of it, with two other limits, whose code
// stands elsewhere.
#ifdef TOSAIC_PATCHED
#define LIMIT "5000"
#define FLOAT_LIMIT 1234.5
#else
#define LIMIT "4096"
#define FLOAT_LIMIT 99.5
#endif
#define EXPORTED __attribute__((visibility("default"), noinline))

static __attribute__((noinline)) int LocalFunction(volatile int* value) { return *value > 10 ? *value * 3 : -1; }

EXPORTED int CallLocal(int value) {
  volatile int copy = value;
  return LocalFunction(&copy) + 1;
}

EXPORTED int SumBelow(int count) {
  volatile int sum = 0;
  for (int i = 0; i < count; ++i) sum += i;
  return sum;
}

#ifdef TOSAIC_PATCHED
EXPORTED int MoveTheRest(int value) { return CallLocal(value) * CallLocal(value + 1) - 3; }
#endif

// Under the names of functions of MLIR.
EXPORTED int IsBeyondLimit(double value) __asm__("_ZN4mlir4tosa7ClampOp4foldEv");
EXPORTED int IsAThousand(int value) __asm__("_ZN4mlir4tosa5AddOp4foldEv");
int IsBeyondLimit(double value) { return value > FLOAT_LIMIT; }
int IsAThousand(int value) { return value == 1000; }

// Calls of a function each, so that no table of results replaces the jumps.
EXPORTED int Choose(int which) {
  switch (which) {
    case 0:
      return SumBelow(10);
    case 1:
      return CallLocal(11) + 7;
    case 2:
      return SumBelow(3) - SumBelow(2);
    case 3:
      return CallLocal(1) * 5;
    case 4:
      return SumBelow(4) + CallLocal(20);
    case 5:
      return SumBelow(6) ^ 21;
    case 6:
      return CallLocal(which) - 2;
    default:
      return -1;
  }
}

#if defined(__x86_64__)
// 0: 1; 1 and 2, by a table: 20 and 30; more: the tail call of SumBelow(7). Blocks: the entry behind the mark for
// indirect jumps, the return of 1, the bound, the jump by the table, one for each entry, the tail
// call. The code after the jump by the table that nobody comes to is a trap, and the padding belongs to no block.
__asm__(
    ".text\n"
    ".globl KnownBlocks\n"
    ".type KnownBlocks, @function\n"
    ".p2align 4\n"
    "KnownBlocks:\n"
    ".cfi_startproc\n"
    "  endbr64\n"
    "  testl %edi, %edi\n"  // 1
    "  jne .Lknown_bound\n"
    "  movl $1, %eax\n"  // 2
    "  ret\n"
    "  .p2align 5\n"
    ".Lknown_bound:\n"
    "  cmpl $2, %edi\n"  // 3
    "  ja .Lknown_tail\n"
    "  leaq .Lknown_table(%rip), %rcx\n"  // 4
    "  movslq -4(%rcx,%rdi,4), %rax\n"
    "  addq %rcx, %rax\n"
    "  jmp *%rax\n"
    "  ud2\n"
    "  xchgw %ax, %ax\n"
    ".Lknown_first:\n"
    "  movl $20, %eax\n"  // 5
    "  jmp .Lknown_end\n"
    ".Lknown_second:\n"
    "  movl $30, %eax\n"  // 6
    "  .nops 9\n"
    ".Lknown_end:\n"
    "  ret\n"  // 7
    ".Lknown_tail:\n"
    "  movl $7, %edi\n"  // 8
    "  jmp SumBelow@PLT\n"
    ".cfi_endproc\n"
    ".size KnownBlocks, . - KnownBlocks\n"
    ".section .rodata\n"
    "  .p2align 2\n"
    ".Lknown_table:\n"
    "  .long .Lknown_first - .Lknown_table\n"
    "  .long .Lknown_second - .Lknown_table\n"
    ".text\n");

// Compares its argument with a number that is known.
__asm__(
    ".text\n"
    ".globl ChooseByLimit\n"
    ".type ChooseByLimit, @function\n"
    "ChooseByLimit:\n"
    ".cfi_startproc\n"
    "  xorl %eax, %eax\n"
    "  cmpl $" LIMIT ", %edi\n"
    "  seta %al\n"
    "  ret\n"
    ".cfi_endproc\n"
    ".size ChooseByLimit, .-ChooseByLimit\n");

// A jump into the middle of an instruction: the code cannot be followed.
__asm__(
    ".text\n"
    ".globl JumpsIntoAnInstruction\n"
    ".type JumpsIntoAnInstruction, @function\n"
    "JumpsIntoAnInstruction:\n"
    ".cfi_startproc\n"
    "  jmp .Linside + 2\n"
    ".Linside:\n"
    "  lock\n"
    "  incl (%rdi)\n"
    "  ret\n"
    ".cfi_endproc\n"
    ".size JumpsIntoAnInstruction, . - JumpsIntoAnInstruction\n");
#endif

// As a compiler's stack guard ends a function.
__attribute__((noreturn)) void __stack_chk_fail(void);
int Guarded(int n) {
  if (n == 7) __stack_chk_fail();
  return n + 1;
}
