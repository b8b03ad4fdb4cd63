// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/adapter/protocol.h"

#include <algorithm>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "codec/codec.h"

namespace tosaic {
namespace {

// An element takes a byte at least, and no case has so many.
constexpr int64_t kMostElements = int64_t{1} << 26;

bool HasSensibleSizes(const std::vector<int64_t>& sizes) {
  int64_t count = 1;
  for (const int64_t size : sizes) {
    if (size < 0 || size > kMostElements || (count *= std::max<int64_t>(size, 1)) > kMostElements) return false;
  }
  return true;
}

}  // namespace

void Fields(Visitor& v, AdapterGreeting& greeting) {
  v("tosaic_adapter", greeting.protocol, "the version of this protocol: 1");
  v("name", greeting.name, "of the implementation");
  v("version", greeting.version);
  v("dialect", greeting.dialect, "the version of MLIR whose TOSA dialect it reads: 16 to 22, 24");
  v.Optional("ops", greeting.ops, "that it takes; absent: all");
  v.Optional("element_types", greeting.element_types, "that it takes; absent: all");
  v.Optional("static_shapes", greeting.static_shapes, "whether it takes programs of static shapes alone");
  v.Optional("constant_operands", greeting.constant_operands, "whether shifts and zero points must be constants");
  v.Optional("flushes_subnormals", greeting.flushes_subnormals, "whether it flushes subnormals to zero");
  v.Optional("rewrites_nans", greeting.rewrites_nans,
             "whether a NaN may come out with another payload, even in a value that no op computes");
  v.MayLack("batch", greeting.batch, "how many programs it likes in one request; 1 if absent");
  v.Optional("command", greeting.command, "the implementation's own command line, for people");
  if (!v.IsReading()) return;
  if (greeting.name.empty()) v.Fail("it must not be empty", "name");
  if (greeting.batch < 1 || greeting.batch > 1024) v.Fail("it must be between 1 and 1024", "batch");
}

void Fields(Visitor& v, AdapterTensor& tensor) {
  v.Type("adapter_tensor");
  ElementType type = tensor.tensor.element_type();
  std::vector<int64_t> sizes = tensor.tensor.sizes();
  std::string data;
  if (v.IsWriting()) {
    const std::vector<uint8_t>& bytes = tensor.tensor.bytes();
    data = absl::Base64Escape({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  v("type", type, "of the elements: \"f32\"");
  v("shape", sizes);
  v("data", data,
    "the elements in base64, little endian, row major; i1 and i4 take a byte, i48 takes eight; the bits above are "
    "zeros or the sign's");
  if (!v.IsReading()) return;
  if (!HasSensibleSizes(sizes)) return v.Fail("it has a negative size or too many elements", "shape");
  std::string bytes;
  if (!absl::Base64Unescape(data, &bytes)) return v.Fail("it is no base64", "data");
  Tensor read(type, std::move(sizes));
  if (bytes.size() != read.bytes().size()) {
    return v.Fail(absl::StrCat("it has ", bytes.size(), " bytes instead of ", read.bytes().size()), "data");
  }
  read.mutable_bytes().assign(bytes.begin(), bytes.end());
  for (size_t i = 0; i < read.element_count() && type != ElementType::kI1; ++i) {  // an i1 is judged as it lies there
    const uint64_t raw = read.RawBits(i), bits = read.Bits(i);
    if (raw != bits && raw != ExtendedBits(type, bits)) {
      return v.Fail(absl::StrCat("its element ", i, " is 0x", absl::Hex(raw), ", which is no value of ", Name(type)),
                    "data");
    }
    read.SetBits(i, bits);  // as a store of compiled code has it
  }
  tensor.tensor = std::move(read);
}

void Fields(Visitor& v, AdapterProgram& program) {
  v("module", program.module, "MLIR, ops in generic form");
  v("function", program.function, "the function in it that is meant");
  v("results", program.results, "the types of its results: \"tensor<2x3xf32>\"");
  v("runs", program.runs, "the inputs of each run; no run: the decision alone is wanted");
}

void Fields(Visitor& v, AdapterRequest& request) {
  v("id", request.id, "to be said again in the reply");
  v("programs", request.programs);
}

EnumNames NamesOf(AdapterOutcome) {
  static constexpr absl::string_view kNames[] = {"completed", "refused", "unsupported", "stopped", "crashed", "failed"};
  return NamesFor<AdapterOutcome>(kNames, "an outcome");
}

void Fields(Visitor& v, AdapterRun& run) { v("outputs", run.outputs, "a tensor per result of the function"); }

void Fields(Visitor& v, AdapterAnswer& answer) {
  v("outcome", answer.outcome);
  v.MayLack("stage", answer.stage, "at which it ended; \"verify\" if absent");
  v.Optional("signal", answer.signal, "of a crash: its number");
  v.Optional("diagnostics", answer.diagnostics, "why it ended");
  v.Optional("runs", answer.runs, "the runs that finished, in the order of the request");
}

void Fields(Visitor& v, AdapterReply& reply) {
  v("id", reply.id, "of the request");
  v.Optional("stage", reply.stage, "where it is with the first program: a line of progress, without answers");
  v.Optional("answers", reply.answers, "one for each program, in the order of the request");
}

}  // namespace tosaic
