// A value for each place of driver.c, as it is for a sum of two vectors: so a compiler takes the template as it is.
// clang -fsyntax-only -Wall -Werror -include driver_example.h driver.c
#define __COUNTS_LEAKS__ 1
#define __AREA_WORDS__ 5
#define __RESULT__ (area + 0)
#define __RESULT_RANK__ 1
#define __RESULT_WIDTH__ 4
#define __RESULT_WRITTEN__ 4
#define __MAY_DIFFER__ 0, 1
#define __OPERANDS__                                       \
  static const uint8_t data0[] = {0, 0, 0, 0, 0, 0, 0, 0}; \
  static const int64_t sizes0[] = {2};                     \
  static int64_t operand0[5];
#define __PARAMETERS__ , void*, void*
#define __PUT_OPERANDS__ put_operand(operand0, "operand 0", data0, 8, 1, sizes0);
#define __ARGUMENTS__ area, operand0, operand0
#define __OPERAND_COUNT__ 2
#define __RELEASE_RESULTS__ release(area[0]);
