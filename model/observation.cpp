// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/observation.h"

#include <cstddef>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "codec/visitor.h"
#include "model/counted.h"

namespace tosaic {

EnumNames NamesOf(Stage) {
  static constexpr absl::string_view kNames[] = {"build",     "verify",  "infer",  "lower",
                                                 "translate", "compile", "execute"};
  return NamesFor<Stage>(kNames, "a stage");
}

EnumNames NamesOf(Outcome) {
  static constexpr absl::string_view kNames[] = {"completed", "refused",       "illegal-ir",   "signal",
                                                 "deadline",  "out-of-memory", "memory-fault", "tool-failure"};
  return NamesFor<Outcome>(kNames, "an outcome");
}

std::string ToString(const MemoryFault& fault) {
  if (fault.region == kNobodysMemory) return absl::StrCat(fault.is_write ? "write to " : "access to ", fault.region);
  return absl::StrCat(fault.is_write ? "write" : "read", " at byte ", fault.offset, " of ", fault.region, " (",
                      fault.region_bytes, " bytes)");
}

std::string Summarize(const Observation& observation) {
  if (observation.outcome == Outcome::kCompleted) {
    return absl::StrCat("completed ", Counted(observation.runs.size(), "run"));
  }
  std::string text = absl::StrCat(Name(observation.outcome), " at ", Name(observation.stage));
  if (!observation.pass.empty()) absl::StrAppend(&text, " (", observation.pass, ")");
  if (observation.outcome == Outcome::kSignal) absl::StrAppend(&text, ": signal ", observation.signal);
  if (observation.fault) absl::StrAppend(&text, ": ", ToString(*observation.fault));
  if (!observation.diagnostics.empty()) absl::StrAppend(&text, ": ", observation.diagnostics.front());
  return text;
}

void Fields(Visitor& v, MemoryFault& fault) {
  v("is_write", fault.is_write);
  v("region", fault.region);
  v("offset", fault.offset);
  v("region_bytes", fault.region_bytes);
}

namespace {

// A tensor with its raw bytes, because an i1 written as 0xa5 must be kept as it is.
void RawTensorFields(Visitor& v, Tensor& tensor) {
  Fields(v, tensor);
  std::string hex;
  if (v.IsWriting()) {
    for (uint8_t byte : tensor.bytes()) absl::StrAppend(&hex, absl::Hex(byte, absl::kZeroPad2));
  }
  v("bytes", hex);
  std::vector<uint8_t>& bytes = tensor.mutable_bytes();
  if (v.IsReading() && hex.size() != bytes.size() * 2) v.Fail("the byte count does not fit the shape", "bytes");
  for (size_t i = 0; v.IsReading() && i < bytes.size(); ++i) {
    uint32_t byte = 0;
    const std::string digits = hex.substr(2 * i, 2);
    const bool clean = digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
    if (!clean || !absl::SimpleHexAtoi(digits, &byte)) v.Fail("not hexadecimal", "bytes");
    bytes[i] = static_cast<uint8_t>(byte);
  }
}

}  // namespace

void Visit(Visitor& v, StoreCount& count) {
  const auto read = [&](const JsonReader& reader) {
    const std::vector<JsonReader> pair = reader.Elements();
    if (pair.size() != 2) return reader.Fail("not an element and a count");
    count = {.element = pair[0].Count(), .stores = pair[1].Count()};
  };
  v.Custom([&] { return Json::array({count.element, count.stores}); }, read, [] { return Json{{"type", "array"}}; });
}

void Fields(Visitor& v, ResultObservation& result) {
  RawTensorFields(v, result.tensor);
  v("unwritten", result.unwritten);
  v.Optional("poisoned", result.poisoned);
  v.Optional("poisoned_otherwise", result.poisoned_otherwise);
  v.Optional("not_stored_once", result.not_stored_once);
  v.Optional("overwritten", result.overwritten);
  v.Optional("not_owned", result.not_owned);
}

void Fields(Visitor& v, UnevenStores& stores) {
  v("region", stores.region);
  v("region_bytes", stores.region_bytes);
  v("never", stores.never);
  v("repeated", stores.repeated);
  v("first_repeated", stores.first_repeated);
  v("most", stores.most);
}

void Fields(Visitor& v, LibraryView& view) {
  RawTensorFields(v, view.tensor);
  v("map", view.map);
  v("strides", view.strides);
  v("region", view.region);
  v("offset", view.offset);
  v("region_bytes", view.region_bytes);
  if (v.IsReading() && view.map.size() != view.tensor.sizes().size()) v.Fail("does not fit the shape", "map");
  if (v.IsReading() && view.strides.size() != view.tensor.sizes().size()) v.Fail("do not fit the shape", "strides");
}

void Fields(Visitor& v, LibraryCall& call) {
  v("op", call.op);
  v("is_copy", call.is_copy);
  v("computed", call.computed);
  v("operands", call.operands);
  v("result", call.result);
}

void Fields(Visitor& v, RunObservation& run) {
  v("results", run.results);
  v("leaked_buffers", run.leaked_buffers);
  v.Optional("stopped", run.stopped);
  v.Optional("uneven_stores", run.uneven_stores);
  v.Optional("library_calls", run.library_calls);
  v.Optional("poison", run.poison);
}

void Fields(Visitor& v, Observation& observation) {
  v("outcome", observation.outcome);
  v("stage", observation.stage);
  v.Optional("pass", observation.pass);
  v.Optional("signal", observation.signal);
  v.Optional("run", observation.run);
  v("diagnostics", observation.diagnostics);
  v.Optional("category", observation.category);
  v("inferred", observation.inferred);
  v.Optional("lowered", observation.lowered);
  v.Optional("graph", observation.graph);
  v.Optional("makes_graph", observation.makes_graph);
  v.Optional("extracts", observation.extracts);
  v.Optional("verifies_extents", observation.verifies_extents);
  v.Optional("calls_library", observation.calls_library);
  v.Optional("poison_unseen", observation.poison_unseen);
  v("runs", observation.runs);
  v.Optional("fault", observation.fault);
}

}  // namespace tosaic
