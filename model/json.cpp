#include "model/json.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "model/json_reader.h"

namespace tosaic {
namespace {

Json Text(absl::string_view text) { return std::string(text); }

// ---- Case ----

Json ToJson(const Tensor& tensor) {
  Json json;
  json["type"] = Text(Name(tensor.element_type()));
  json["shape"] = tensor.sizes();
  json["data"] = DataToHex(tensor);
  return json;
}

ElementType ReadElementType(const JsonReader& reader) {
  return reader.Take(FindElementType(reader.String()), "an element type (for instance \"f32\")");
}

Tensor ReadTensor(const JsonReader& reader) {
  const ElementType type = ReadElementType(reader.Field("type"));
  std::vector<int64_t> sizes;
  for (const JsonReader& size : reader.Field("shape").Elements()) {
    sizes.push_back(size.Int());
    if (sizes.back() < 0) size.Fail("a size is not negative");
  }
  const JsonReader data = reader.Field("data");
  const std::string hex = data.String();
  if (!reader.ok()) return {};
  return data.Take(TensorFromHex(type, std::move(sizes), hex));
}

Json ToJson(const TypedBits& value) {
  return Json{{"type", Text(Name(value.type))}, {"bits", BitsToString(value.type, value.bits)}};
}

TypedBits ReadTypedBits(const JsonReader& reader) {
  TypedBits value;
  value.type = ReadElementType(reader.Field("type"));
  const JsonReader field = reader.Field("bits");
  const std::string bits = field.String();
  absl::string_view digits = bits;
  if (!absl::ConsumePrefix(&digits, "0x") ||
      digits.find_first_not_of("0123456789abcdefABCDEF") != absl::string_view::npos ||
      !absl::SimpleHexAtoi(digits, &value.bits) || (value.bits & ~BitMask(value.type)) != 0) {
    field.Fail(absl::StrCat("'", bits, "' is not a bit pattern of ", Name(value.type), " such as 0x3f800000"));
  }
  return value;
}

Json ToJson(const Attributes& attributes) {
  Json json = Json::object();
  auto key = [](Attribute attribute) { return std::string(Name(attribute)); };
  if (attributes.min_val) json[key(Attribute::kMinVal)] = ToJson(*attributes.min_val);
  if (attributes.max_val) json[key(Attribute::kMaxVal)] = ToJson(*attributes.max_val);
  if (attributes.nan_mode) json[key(Attribute::kNanMode)] = Text(Name(*attributes.nan_mode));
  if (attributes.round) json[key(Attribute::kRound)] = *attributes.round;
  return json;
}

Attributes ReadAttributes(const JsonReader& reader) {
  Attributes attributes;
  reader.AllowOnly(
      {Name(Attribute::kMinVal), Name(Attribute::kMaxVal), Name(Attribute::kNanMode), Name(Attribute::kRound)});
  auto field = [&](Attribute attribute) -> std::optional<JsonReader> {
    if (!reader.Has(Name(attribute))) return std::nullopt;
    return reader.Field(Name(attribute));
  };
  if (auto value = field(Attribute::kMinVal)) attributes.min_val = ReadTypedBits(*value);
  if (auto value = field(Attribute::kMaxVal)) attributes.max_val = ReadTypedBits(*value);
  if (auto value = field(Attribute::kNanMode)) {
    const std::string name = value->String();
    if (name == Name(NanMode::kPropagate)) {
      attributes.nan_mode = NanMode::kPropagate;
    } else if (name == Name(NanMode::kIgnore)) {
      attributes.nan_mode = NanMode::kIgnore;
    } else {
      value->Fail(absl::StrCat("'", name, "' is neither PROPAGATE nor IGNORE"));
    }
  }
  if (auto value = field(Attribute::kRound)) attributes.round = value->Bool();
  return attributes;
}

ValueRef ReadRef(const JsonReader& reader) {
  const std::string text = reader.String();
  absl::string_view rest = text;
  ValueRef ref;
  bool prefixed = true;
  if (absl::ConsumePrefix(&rest, "%arg")) {
    ref.kind = ValueRef::Kind::kArgument;
  } else if (absl::ConsumePrefix(&rest, "%cst")) {
    ref.kind = ValueRef::Kind::kConstant;
  } else {
    prefixed = absl::ConsumePrefix(&rest, "%");
    ref.kind = ValueRef::Kind::kOp;
  }
  if (!prefixed || !absl::SimpleAtoi(rest, &ref.index)) {
    reader.Fail(absl::StrCat("'", text, "' names no value (%arg0, %cst0 and %0 do)"));
  }
  return ref;
}

TensorType ReadTensorType(const JsonReader& reader) {
  const std::string text = reader.String();
  if (!reader.ok()) return {};
  return reader.Take(ParseTensorType(text));
}

Json ToJson(const Program& program) {
  Json json;
  json["arguments"] = Json::array();
  for (const TensorType& type : program.arguments) json["arguments"].push_back(ToString(type));
  json["constants"] = Json::array();
  for (const Tensor& constant : program.constants) json["constants"].push_back(ToJson(constant));
  json["ops"] = Json::array();
  for (const OpApplication& op : program.ops) {
    Json operands = Json::array();
    for (ValueRef operand : op.operands) operands.push_back(ToString(operand));
    json["ops"].push_back(Json{{"op", Text(Name(op.op))},
                               {"operands", operands},
                               {"attributes", ToJson(op.attributes)},
                               {"result", ToString(op.result)}});
  }
  json["results"] = Json::array();
  for (ValueRef result : program.results) json["results"].push_back(ToString(result));
  return json;
}

Program ReadProgram(const JsonReader& reader) {
  Program program;
  reader.AllowOnly({"arguments", "constants", "ops", "results"});
  for (const JsonReader& type : reader.Field("arguments").Elements()) program.arguments.push_back(ReadTensorType(type));
  for (const JsonReader& constant : reader.Field("constants").Elements())
    program.constants.push_back(ReadTensor(constant));
  for (const JsonReader& element : reader.Field("ops").Elements()) {
    OpApplication op;
    element.AllowOnly({"op", "operands", "attributes", "result"});
    const JsonReader name = element.Field("op");
    op.op = name.Take(FindOp(name.String()), "a known op ('tosaic list-ops' prints them)");
    for (const JsonReader& operand : element.Field("operands").Elements()) op.operands.push_back(ReadRef(operand));
    op.attributes = ReadAttributes(element.Field("attributes"));
    op.result = ReadTensorType(element.Field("result"));
    program.ops.push_back(std::move(op));
  }
  for (const JsonReader& result : reader.Field("results").Elements()) program.results.push_back(ReadRef(result));
  return program;
}

}  // namespace

Json ToJson(const Case& test_case) {
  Json json;
  json["tosaic_case"] = kCaseFormatVersion;
  json["origin"] = test_case.origin;
  json["route"] = test_case.route;
  if (!test_case.twin.empty()) json["twin"] = test_case.twin;
  json["program"] = ToJson(test_case.program);
  json["runs"] = Json::array();
  for (const Run& run : test_case.runs) {
    Json tensors = Json::array();
    for (const Tensor& tensor : run) tensors.push_back(ToJson(tensor));
    json["runs"].push_back(std::move(tensors));
  }
  return json;
}

absl::StatusOr<Case> CaseFromJson(const Json& json) {
  absl::Status status;
  const JsonReader reader(&json, "", &status);
  const int64_t version = reader.Field("tosaic_case").Int();
  if (status.ok() && (version < 1 || version > kCaseFormatVersion)) {
    return absl::InvalidArgumentError(
        absl::StrCat("tosaic_case: format version ", version, "; this build reads up to ", kCaseFormatVersion));
  }
  Case test_case;
  reader.AllowOnly({"tosaic_case", "origin", "route", "twin", "program", "runs", "expected"});
  if (reader.Has("origin")) test_case.origin = reader.Field("origin").String();
  test_case.route = reader.Field("route").String();
  if (reader.Has("twin")) test_case.twin = reader.Field("twin").String();
  test_case.program = ReadProgram(reader.Field("program"));
  for (const JsonReader& run : reader.Field("runs").Elements()) {
    Run tensors;
    for (const JsonReader& tensor : run.Elements()) {
      tensor.AllowOnly({"type", "shape", "data"});
      tensors.push_back(ReadTensor(tensor));
    }
    test_case.runs.push_back(std::move(tensors));
  }
  if (!status.ok()) return status;
  status = CheckWellFormed(test_case);
  if (!status.ok()) return status;
  return test_case;
}

std::string CaseToText(const Case& test_case) { return Dump(ToJson(test_case), 2) + "\n"; }

absl::StatusOr<Case> CaseFromText(absl::string_view text) {
  const absl::StatusOr<Json> json = ParseJson(text);
  if (!json.ok()) return json.status();
  return CaseFromJson(*json);
}

// ---- Observation ----

namespace {

template <typename Enum>
Enum ReadEnum(const JsonReader& reader, Enum last, absl::string_view what) {
  const std::string name = reader.String();
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (Name(static_cast<Enum>(i)) == name) return static_cast<Enum>(i);
  }
  reader.Fail(absl::StrCat("'", name, "' is not ", what));
  return Enum{};
}

std::vector<std::string> ReadStrings(const JsonReader& reader) {
  std::vector<std::string> strings;
  for (const JsonReader& element : reader.Elements()) strings.push_back(element.String());
  return strings;
}

std::vector<int> ReadInts(const JsonReader& reader) {
  std::vector<int> numbers;
  for (const JsonReader& element : reader.Elements()) numbers.push_back(static_cast<int>(element.Int()));
  return numbers;
}

// [1, {"constant": 0}, null]: loop 1, a constant, anything else.
Json ToJson(const IndexingMap& map) {
  Json json = Json::array();
  for (const MapResult& result : map) {
    switch (result.kind) {
      case MapResult::Kind::kLoop:
        json.push_back(result.number);
        break;
      case MapResult::Kind::kConstant:
        json.push_back(Json{{"constant", result.number}});
        break;
      case MapResult::Kind::kOther:
        json.push_back(Json());
        break;
    }
  }
  return json;
}

IndexingMap ReadMap(const JsonReader& reader) {
  IndexingMap map;
  for (const JsonReader& element : reader.Elements()) {
    if (element.IsNull()) {
      map.push_back({MapResult::Kind::kOther, 0});
    } else if (element.Has("constant")) {
      map.push_back({MapResult::Kind::kConstant, element.Field("constant").Int()});
    } else {
      map.push_back({MapResult::Kind::kLoop, element.Int()});
    }
  }
  return map;
}

Json ToJson(const Generic& generic) {
  const Payload& payload = generic.payload;
  Json maps = Json::array();
  for (const IndexingMap& map : generic.maps) maps.push_back(ToJson(map));
  return Json{{"inputs", generic.inputs},
              {"iterators", generic.iterators},
              {"maps", maps},
              {"payload",
               {{"arguments", payload.arguments},
                {"yields", payload.yields},
                {"ops", payload.ops},
                {"captures", payload.captures},
                {"nested", payload.nested},
                {"reads_output", payload.reads_output}}}};
}

Generic ReadGeneric(const JsonReader& reader) {
  Generic generic;
  generic.inputs = static_cast<int>(reader.Field("inputs").Int());
  generic.iterators = ReadStrings(reader.Field("iterators"));
  for (const JsonReader& map : reader.Field("maps").Elements()) generic.maps.push_back(ReadMap(map));
  const JsonReader payload = reader.Field("payload");
  generic.payload.arguments = ReadStrings(payload.Field("arguments"));
  generic.payload.yields = ReadStrings(payload.Field("yields"));
  generic.payload.ops = ReadStrings(payload.Field("ops"));
  generic.payload.captures = ReadStrings(payload.Field("captures"));
  generic.payload.nested = payload.Field("nested").Bool();
  generic.payload.reads_output = payload.Field("reads_output").Bool();
  return generic;
}

Json ToJson(const LoweredIr& ir) {
  Json values = Json::array();
  for (const LoweredValue& value : ir.values) {
    Json json{{"kind", Text(Name(value.kind))}, {"operands", value.operands}};
    if (value.type) json["type"] = ToString(*value.type);
    if (value.number != 0) json["number"] = value.number;
    if (!value.groups.empty()) json["groups"] = value.groups;
    if (value.generic) json["generic"] = ToJson(*value.generic);
    if (!value.name.empty()) json["name"] = value.name;
    values.push_back(std::move(json));
  }
  return Json{{"values", values}, {"returned", ir.returned}};
}

LoweredIr ReadLoweredIr(const JsonReader& reader) {
  LoweredIr ir;
  // What comes before may be referred to, so that whoever follows a reference comes to an end.
  auto check = [&](const JsonReader& numbers, const std::vector<int>& read) {
    for (const int number : read) {
      if (number < 0 || static_cast<size_t>(number) >= ir.values.size()) numbers.Fail("refers to no earlier value");
    }
  };
  for (const JsonReader& entry : reader.Field("values").Elements()) {
    LoweredValue value;
    value.kind = ReadEnum(entry.Field("kind"), LoweredValue::Kind::kOther, "a kind of value");
    value.operands = ReadInts(entry.Field("operands"));
    check(entry.Field("operands"), value.operands);
    if (entry.Has("type")) value.type = ReadTensorType(entry.Field("type"));
    if (entry.Has("number")) value.number = entry.Field("number").Int();
    if (entry.Has("groups")) {
      for (const JsonReader& group : entry.Field("groups").Elements()) value.groups.push_back(ReadInts(group));
    }
    if (entry.Has("generic")) value.generic = ReadGeneric(entry.Field("generic"));
    if (entry.Has("name")) value.name = entry.Field("name").String();
    ir.values.push_back(std::move(value));
  }
  ir.returned = ReadInts(reader.Field("returned"));
  check(reader.Field("returned"), ir.returned);
  return ir;
}

// A tensor with its raw bytes: an i1 written as 0xa5 must survive the trip.
Json ToRawJson(const Tensor& tensor) {
  Json json = ToJson(tensor);
  std::string raw;
  for (uint8_t byte : tensor.bytes()) absl::StrAppend(&raw, absl::Hex(byte, absl::kZeroPad2));
  json["bytes"] = raw;
  return json;
}

Json ToJson(const ResultObservation& result) {
  Json json = ToRawJson(result.tensor);
  json["unwritten"] = result.unwritten;
  if (!result.not_stored_once.empty()) {
    Json& counts = json["not_stored_once"] = Json::array();
    for (const StoreCount& count : result.not_stored_once) counts.push_back({count.element, count.stores});
  }
  return json;
}

Json ToJson(const UnevenStores& stores) {
  return Json{{"region", stores.region},
              {"region_bytes", stores.region_bytes},
              {"never", stores.never},
              {"repeated", stores.repeated},
              {"first_repeated", stores.first_repeated}};
}

Json ToJson(const LibraryView& view) {
  Json json = ToRawJson(view.tensor);
  json["map"] = ToJson(view.map);
  json["strides"] = view.strides;
  json["region"] = view.region;
  json["offset"] = view.offset;
  json["region_bytes"] = view.region_bytes;
  return json;
}

Json ToJson(const LibraryCall& call) {
  Json operands = Json::array();
  for (const LibraryView& operand : call.operands) operands.push_back(ToJson(operand));
  return Json{{"op", call.op},
              {"is_copy", call.is_copy},
              {"computed", call.computed},
              {"operands", operands},
              {"result", ToJson(call.result)}};
}

Json ToJson(const RunObservation& run) {
  Json results = Json::array();
  for (const ResultObservation& result : run.results) results.push_back(ToJson(result));
  Json json{{"results", results}, {"leaked_buffers", run.leaked_buffers}};
  if (!run.stopped.empty()) json["stopped"] = run.stopped;
  for (const UnevenStores& stores : run.uneven_stores) json["uneven_stores"].push_back(ToJson(stores));
  for (const LibraryCall& call : run.library_calls) json["library_calls"].push_back(ToJson(call));
  return json;
}

}  // namespace

Json ToJson(const Observation& observation) {
  Json json;
  json["outcome"] = Text(Name(observation.outcome));
  json["stage"] = Text(Name(observation.stage));
  if (!observation.pass.empty()) json["pass"] = observation.pass;
  if (observation.signal != 0) json["signal"] = observation.signal;
  if (observation.run != 0) json["run"] = observation.run;
  json["diagnostics"] = observation.diagnostics;
  if (observation.category) json["category"] = Text(Name(*observation.category));
  json["inferred"] = Json::array();
  for (const std::optional<TensorType>& type : observation.inferred) {
    json["inferred"].push_back(type ? Json(ToString(*type)) : Json());
  }
  if (observation.lowered) json["lowered"] = ToJson(*observation.lowered);
  if (observation.verifies_extents) json["verifies_extents"] = true;
  if (observation.calls_library) json["calls_library"] = true;
  json["runs"] = Json::array();
  for (const RunObservation& run : observation.runs) json["runs"].push_back(ToJson(run));
  if (observation.fault) {
    const MemoryFault& fault = *observation.fault;
    json["fault"] = Json{{"is_write", fault.is_write},
                         {"region", fault.region},
                         {"offset", fault.offset},
                         {"region_bytes", fault.region_bytes}};
  }
  return json;
}

namespace {

Tensor ReadRawTensor(const JsonReader& reader) {
  Tensor tensor = ReadTensor(reader);
  const JsonReader raw = reader.Field("bytes");
  const std::string hex = raw.String();
  std::vector<uint8_t>& bytes = tensor.mutable_bytes();
  if (reader.ok() && hex.size() != bytes.size() * 2) raw.Fail("the byte count does not fit the shape");
  for (size_t i = 0; reader.ok() && i < bytes.size(); ++i) {
    uint32_t byte = 0;
    const std::string digits = hex.substr(2 * i, 2);
    const bool clean = digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
    if (!clean || !absl::SimpleHexAtoi(digits, &byte)) raw.Fail("not hexadecimal");
    bytes[i] = static_cast<uint8_t>(byte);
  }
  return tensor;
}

ResultObservation ReadResult(const JsonReader& reader) {
  ResultObservation result;
  result.tensor = ReadRawTensor(reader);
  for (const JsonReader& index : reader.Field("unwritten").Elements()) {
    result.unwritten.push_back(static_cast<uint64_t>(index.Int()));
  }
  if (!reader.Has("not_stored_once")) return result;
  for (const JsonReader& entry : reader.Field("not_stored_once").Elements()) {
    const std::vector<JsonReader> pair = entry.Elements();
    if (pair.size() != 2) {
      entry.Fail("not an element and a count");
      continue;
    }
    result.not_stored_once.push_back(
        {.element = static_cast<uint64_t>(pair[0].Int()), .stores = static_cast<uint64_t>(pair[1].Int())});
  }
  return result;
}

UnevenStores ReadUnevenStores(const JsonReader& reader) {
  return {.region = reader.Field("region").String(),
          .region_bytes = reader.Field("region_bytes").Int(),
          .never = reader.Field("never").Int(),
          .repeated = reader.Field("repeated").Int(),
          .first_repeated = reader.Field("first_repeated").Int()};
}

LibraryView ReadLibraryView(const JsonReader& reader) {
  LibraryView view;
  view.tensor = ReadRawTensor(reader);
  view.map = ReadMap(reader.Field("map"));
  for (const JsonReader& stride : reader.Field("strides").Elements()) view.strides.push_back(stride.Int());
  view.region = reader.Field("region").String();
  view.offset = reader.Field("offset").Int();
  view.region_bytes = reader.Field("region_bytes").Int();
  if (view.map.size() != view.tensor.sizes().size()) reader.Field("map").Fail("does not fit the shape");
  if (view.strides.size() != view.tensor.sizes().size()) reader.Field("strides").Fail("do not fit the shape");
  return view;
}

LibraryCall ReadLibraryCall(const JsonReader& reader) {
  LibraryCall call;
  call.op = static_cast<int>(reader.Field("op").Int());
  call.is_copy = reader.Field("is_copy").Bool();
  call.computed = reader.Field("computed").Bool();
  for (const JsonReader& operand : reader.Field("operands").Elements()) {
    call.operands.push_back(ReadLibraryView(operand));
  }
  call.result = ReadLibraryView(reader.Field("result"));
  return call;
}

}  // namespace

absl::StatusOr<Observation> ObservationFromJson(const Json& json) {
  absl::Status status;
  const JsonReader reader(&json, "", &status);
  Observation observation;
  observation.outcome = ReadEnum(reader.Field("outcome"), Outcome::kToolFailure, "an outcome");
  observation.stage = ReadEnum(reader.Field("stage"), Stage::kExecute, "a stage");
  if (reader.Has("pass")) observation.pass = reader.Field("pass").String();
  if (reader.Has("signal")) observation.signal = static_cast<int>(reader.Field("signal").Int());
  if (reader.Has("run")) observation.run = static_cast<uint32_t>(reader.Field("run").Int());
  for (const JsonReader& text : reader.Field("diagnostics").Elements())
    observation.diagnostics.push_back(text.String());
  if (reader.Has("category")) {
    observation.category = ReadEnum(reader.Field("category"), Category::kUnknown, "a category");
  }
  for (const JsonReader& entry : reader.Field("inferred").Elements()) {
    if (entry.IsNull()) {
      observation.inferred.push_back(std::nullopt);
    } else {
      observation.inferred.push_back(ReadTensorType(entry));
    }
  }
  if (reader.Has("lowered")) observation.lowered = ReadLoweredIr(reader.Field("lowered"));
  if (reader.Has("verifies_extents")) observation.verifies_extents = reader.Field("verifies_extents").Bool();
  if (reader.Has("calls_library")) observation.calls_library = reader.Field("calls_library").Bool();
  for (const JsonReader& entry : reader.Field("runs").Elements()) {
    RunObservation run;
    for (const JsonReader& result : entry.Field("results").Elements()) run.results.push_back(ReadResult(result));
    run.leaked_buffers = entry.Field("leaked_buffers").Int();
    if (entry.Has("stopped")) run.stopped = entry.Field("stopped").String();
    if (entry.Has("uneven_stores")) {
      for (const JsonReader& one : entry.Field("uneven_stores").Elements()) {
        run.uneven_stores.push_back(ReadUnevenStores(one));
      }
    }
    if (entry.Has("library_calls")) {
      for (const JsonReader& one : entry.Field("library_calls").Elements()) {
        run.library_calls.push_back(ReadLibraryCall(one));
      }
    }
    observation.runs.push_back(std::move(run));
  }
  if (reader.Has("fault")) {
    const JsonReader entry = reader.Field("fault");
    MemoryFault fault;
    fault.is_write = entry.Field("is_write").Bool();
    fault.region = entry.Field("region").String();
    fault.offset = entry.Field("offset").Int();
    fault.region_bytes = entry.Field("region_bytes").Int();
    observation.fault = fault;
  }
  if (!status.ok()) return status;
  return observation;
}

// ---- Judgement ----

Json ToJson(const Judgement& judgement) {
  Json json;
  json["verdict"] = Text(Name(judgement.verdict));
  json["stage"] = Text(Name(judgement.stage));
  json["beyond_spec"] = judgement.beyond_spec;
  json["rule"] = judgement.rule;
  if (!judgement.strictness.empty()) json["strictness"] = judgement.strictness;
  json["expected"] = judgement.expected;
  json["actual"] = judgement.actual;
  if (judgement.mismatch) {
    const ElementMismatch& m = *judgement.mismatch;
    json["mismatch"] = Json{{"run", m.run},
                            {"op", m.op},
                            {"index", m.index},
                            {"inputs", m.inputs},
                            {"expected", m.expected},
                            {"actual", m.actual},
                            {"expected_bits", m.expected_bits},
                            {"actual_bits", m.actual_bits},
                            {"ulp_distance", m.ulp_distance},
                            {"bound", m.bound},
                            {"count", m.count}};
  }
  json["compared"] = judgement.compared;
  json["masked"] = judgement.masked;
  json["notes"] = judgement.notes;
  return json;
}

absl::StatusOr<Judgement> JudgementFromJson(const Json& json) {
  absl::Status status;
  const JsonReader reader(&json, "", &status);
  Judgement judgement;
  const JsonReader verdict = reader.Field("verdict");
  judgement.verdict = verdict.Take(FindVerdict(verdict.String()), "a verdict");
  judgement.stage = ReadEnum(reader.Field("stage"), Stage::kExecute, "a stage");
  judgement.beyond_spec = reader.Field("beyond_spec").Bool();
  judgement.rule = reader.Field("rule").String();
  if (reader.Has("strictness")) judgement.strictness = reader.Field("strictness").String();
  judgement.expected = reader.Field("expected").String();
  judgement.actual = reader.Field("actual").String();
  if (reader.Has("mismatch")) {
    const JsonReader entry = reader.Field("mismatch");
    ElementMismatch m;
    m.run = static_cast<int>(entry.Field("run").Int());
    m.op = static_cast<int>(entry.Field("op").Int());
    m.index = static_cast<uint64_t>(entry.Field("index").Int());
    for (const JsonReader& input : entry.Field("inputs").Elements()) m.inputs.push_back(input.String());
    m.expected = entry.Field("expected").String();
    m.actual = entry.Field("actual").String();
    m.expected_bits = entry.Field("expected_bits").String();
    m.actual_bits = entry.Field("actual_bits").String();
    // An infinite distance has no JSON number and is written as null.
    const JsonReader distance = entry.Field("ulp_distance");
    m.ulp_distance = distance.IsNull() ? std::numeric_limits<double>::infinity() : distance.Double();
    m.bound = entry.Field("bound").String();
    m.count = static_cast<uint64_t>(entry.Field("count").Int());
    judgement.mismatch = std::move(m);
  }
  judgement.compared = static_cast<uint64_t>(reader.Field("compared").Int());
  judgement.masked = static_cast<uint64_t>(reader.Field("masked").Int());
  for (const JsonReader& note : reader.Field("notes").Elements()) judgement.notes.push_back(note.String());
  if (!status.ok()) return status;
  return judgement;
}

absl::StatusOr<Json> ParseJson(absl::string_view text) {
  constexpr int kMaxDepth = 64;
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_string = !in_string;
    if (in_string && c == '\\') ++i;  // skips what is escaped
    if (in_string) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > kMaxDepth) return absl::InvalidArgumentError(absl::StrCat("JSON nested deeper than ", kMaxDepth));
  }
  Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return absl::InvalidArgumentError("not a JSON document");
  return json;
}

std::string Dump(const Json& json, int indent) { return json.dump(indent, ' ', false, Json::error_handler_t::replace); }

}  // namespace tosaic
