// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/cpu_protocol.h"

#include "codec/codec.h"

namespace tosaic {

void Fields(Visitor& v, CpuSymbol& symbol) {
  v("name", symbol.name);
  v("address", symbol.address);
}

void Fields(Visitor& v, CpuGreeting& greeting) {
  v("code", greeting.code);
  v("code_bytes", greeting.code_bytes);
  v("symbols", greeting.symbols);
  v("runtime", greeting.runtime);
}

void Fields(Visitor& v, CodeSegment& segment) {
  v("address", segment.address);
  v("bytes", segment.bytes);
  v("is_executable", segment.is_executable);
  v("is_writable", segment.is_writable);
}

void Fields(Visitor& v, CpuTask& task) {
  v("segments", task.segments);
  v("entry", task.entry);
  v("cpu_seconds", task.cpu_seconds);
  v("count_leaks", task.options.count_leaks);
  v("alignment", task.options.alignment);
  v("counts_stores", task.options.counts_stores);
  v("library", task.options.library);
  v("case", task.test_case);
}

void Fields(Visitor& v, LibraryQuestion& question) {
  v("op", question.op);
  v("operands", question.operands);
  v("result_sizes", question.result_sizes);
}

}  // namespace tosaic
