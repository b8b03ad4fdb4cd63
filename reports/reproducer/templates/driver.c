// Calls the program on guarded memory, and says what its poison is taken for, if it asks. Written by Tosaic.
#define _GNU_SOURCE
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define COUNTS_LEAKS __COUNTS_LEAKS__
static int64_t area[__AREA_WORDS__];
#define RESULT __RESULT__
#define RESULT_RANK __RESULT_RANK__
#define RESULT_WIDTH __RESULT_WIDTH__
#define RESULT_WRITTEN __RESULT_WRITTEN__
static const char may_differ[] = {__MAY_DIFFER__};

__OPERANDS__

// Memory between two inaccessible pages.
typedef struct {
  const char *name;
  char *pages;      // the first page, inaccessible
  size_t between;   // bytes between the two
  char *data;
  size_t bytes;
  int live;         // allocated and not freed
} Region;
static Region regions[4096];
static int region_count;
static size_t page_bytes;
static int begins_at_guard;  // else it ends there
static uint8_t poison;

static void diverges(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("diverges: ");
  vprintf(format, arguments);
  printf("\n");
  fflush(stdout);
  _exit(1);
}

static Region *guarded(const char *name, size_t bytes, size_t alignment) {
  if (region_count == sizeof regions / sizeof *regions) diverges("it allocates without end");
  Region *region = &regions[region_count++];
  const size_t between = (bytes + page_bytes - 1) / page_bytes * page_bytes;
  char *pages = mmap(NULL, between + 2 * page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) diverges("it allocates %zu bytes", bytes);
  if (between > 0) mprotect(pages + page_bytes, between, PROT_READ | PROT_WRITE);
  char *data = pages + page_bytes;
  if (!begins_at_guard) data += (between - bytes) / alignment * alignment;
  memset(data, poison, bytes);
  *region = (Region){name, pages, between, data, bytes, 1};
  return region;
}

void *__wrap_malloc(size_t bytes) { return guarded("an allocation", bytes, 1)->data; }
void *__wrap_aligned_alloc(size_t alignment, size_t bytes) { return guarded("an allocation", bytes, alignment)->data; }
void *__wrap_calloc(size_t count, size_t bytes) { return memset(__wrap_malloc(count * bytes), 0, count * bytes); }
void __wrap_free(void *pointer) {
  if (pointer == NULL) return;
  for (int i = region_count - 1; i >= 0; --i) {
    Region *region = &regions[i];
    if (region->data != pointer || !region->live) continue;
    region->live = 0;
    mprotect(region->pages, region->between + 2 * page_bytes, PROT_NONE);
    return;
  }
  diverges("it frees what is not allocated, or twice");
}

static void on_signal(int signal, siginfo_t *info, void *context) {
  const char *address = info->si_addr;
  if (signal != SIGSEGV && signal != SIGBUS) diverges("signal %d", signal);
#if defined(__x86_64__)
  const char *access = ((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2 ? "write" : "read";
#else
  const char *access = "access";
#endif
  for (int i = 0; i < region_count; ++i) {
    const Region *region = &regions[i];
    if (address < region->pages || address >= region->pages + region->between + 2 * page_bytes) continue;
    diverges("%s at byte %ld of %s%s of %zu bytes", access, (long)(address - region->data),
             region->live ? "" : "freed ", region->name, region->bytes);
  }
  diverges("%s outside every buffer", access);
}

static void put_operand(int64_t *descriptor, const char *name, const void *data, size_t bytes, int rank,
                        const int64_t *sizes) {
  Region *region = guarded(name, bytes, 1);
  if (bytes > 0) {
    memcpy(region->data, data, bytes);
    mprotect(region->pages + page_bytes, region->between, PROT_READ);
  }
  descriptor[0] = descriptor[1] = (int64_t)region->data;
  int64_t stride = 1;
  for (int i = rank - 1; i >= 0; --i) {
    descriptor[3 + i] = sizes[i];
    descriptor[3 + rank + i] = stride;
    stride *= sizes[i];
  }
}

// Copies a result's elements out, row major, as far as there is room; returns how many there are.
static size_t take_result(const int64_t *descriptor, int rank, size_t width, char *out, size_t room) {
  const int64_t *sizes = descriptor + 3, *strides = descriptor + 3 + rank;
  size_t count = 1;
  for (int i = 0; i < rank; ++i) count *= (size_t)sizes[i];
  for (size_t element = 0; element < count && (element + 1) * width <= room; ++element) {
    int64_t offset = descriptor[2];
    size_t rest = element;
    for (int i = rank - 1; i >= 0; --i) {
      offset += (int64_t)(rest % (size_t)sizes[i]) * strides[i];
      rest /= (size_t)sizes[i];
    }
    memcpy(out + element * width, (const char *)descriptor[1] + offset * (int64_t)width, width);
  }
  return count;
}

static void release(int64_t pointer) {
  for (int i = 0; i < region_count; ++i) {
    if ((int64_t)regions[i].data == pointer) regions[i].live = 0;
  }
}

// Of shown.ll: what poison is taken for, in each of its bytes; and that an instruction made some.
uint64_t tosaic_poison_taken_for(void) { return 0x0101010101010101 * poison; }
void tosaic_made_poison(uint64_t number, uint64_t made, uint64_t first, uint64_t second) {
  (void)number, (void)made, (void)first, (void)second;
}

void _mlir_ciface_test(void *__PARAMETERS__);

// Returns how many allocations it has lost.
static int64_t run_once(void) {
  __PUT_OPERANDS__
  _mlir_ciface_test(__ARGUMENTS__);
  // The caller's own: the operands and the results.
  for (int i = 0; i < __OPERAND_COUNT__; ++i) regions[i].live = 0;
  __RELEASE_RESULTS__
  int64_t lost = 0;
  for (int i = 0; i < region_count; ++i) lost += regions[i].live;
  return lost;
}

int main(void) {
  page_bytes = (size_t)sysconf(_SC_PAGESIZE);
  static char stack[1 << 16];
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) sigaction(signals[i], &action, NULL);
  static char elements[2][1 << 20];
  for (begins_at_guard = 0; begins_at_guard < 2; ++begins_at_guard) {
    size_t count = 0;
    // Twice, over memory that holds other bytes: what differs then was never written.
    for (int attempt = 0; attempt < 2; ++attempt) {
      poison = attempt == 0 ? 0xa5 : 0x5c;
      region_count = 0;
      memset(area, 0, sizeof area);
      const int64_t lost = run_once();
      if (COUNTS_LEAKS && lost > 0) {
        diverges(lost == 1 ? "%ld allocation is neither freed nor returned" : "%ld allocations are neither freed nor returned",
                 (long)lost);
      }
      count = take_result(RESULT, RESULT_RANK, RESULT_WIDTH, elements[attempt], sizeof elements[attempt]);
    }
    for (size_t i = 0; i < count && (i + 1) * RESULT_WIDTH <= sizeof elements[0]; ++i) {
      if (sizeof may_differ > i && may_differ[i]) continue;
      if (memcmp(elements[0] + i * RESULT_WIDTH, elements[1] + i * RESULT_WIDTH, RESULT_WRITTEN) == 0) continue;
      diverges("element %zu of the result __DEPENDS__", i);
    }
  }
  printf("conforms\n");
  return 0;
}
