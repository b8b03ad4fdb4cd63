// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conformance/arm_export.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "conformance/arm_description.h"
#include "conformance/arm_flatbuffer.h"
#include "model/npy.h"
#include "model/static_program.h"
#include "oracle/accuracy.h"
#include "oracle/float_format.h"
#include "oracle/reference.h"
#include "oracle/run_values.h"
#include "oracle/validation.h"

namespace tosaic {
namespace {

constexpr const char* kVersion = "1.2";  // of the description's format
constexpr const char* kProgramFile = "test.json";

absl::Status LeftOut(absl::string_view why) { return absl::UnimplementedError(why); }

// "arithmetic_right_shift" is ArithmeticRightShiftAttribute; only intdiv has a word more than underscores.
std::string AttributeTypeOf(OpKind op) {
  if (op == OpKind::kIntdiv) return "IntDivAttribute";
  std::string name;
  for (const absl::string_view word : absl::StrSplit(Name(op), '_')) {
    absl::StrAppend(&name, absl::AsciiStrToUpper(word.substr(0, 1)), word.substr(1));
  }
  return name + "Attribute";
}

// The program of one op as a reader of its file has it: a boolean is false and an enum is MLIR's default where they are
// absent. The schema's own default of an enum is none of its values.
Program AsStored(Program program) {
  OpApplication& op = program.ops.front();
  const ByKind fill{[](std::optional<bool>& value) { value = value.value_or(false); },
                    []<NamedEnum E>(std::optional<E>& value) { value = value.value_or(E()); }, [](auto&) {}};
  ForEachAttribute(op.attributes, [&](const AttributeInfo& info, auto& value) {
    const bool has_it = HasAttribute(Info(op.op), info.attribute);
    if (has_it && PresenceIn(Info(op.op), info.attribute) == AttributePresence::kMandatory) fill(value);
  });
  return program;
}

// A program of one op in the schema's terms.
class Writer {
 public:
  absl::StatusOr<StoredGraph> Write(const Program& program) {
    for (size_t i = 0; i < program.arguments.size(); ++i) {
      block_.inputs.push_back(absl::StrCat("input-", i));
      TOSAIC_RETURN_IF_ERROR(AddTensor(block_.inputs.back(), program.arguments[i], {}));
    }
    for (size_t i = 0; i < program.constants.size(); ++i) {
      const Tensor& tensor = program.constants[i];
      const std::string name = absl::StrCat("const-", i);
      const TensorType type = {Shape::OfSizes(tensor.sizes()), tensor.element_type()};
      TOSAIC_RETURN_IF_ERROR(AddTensor(name, type, Packed(tensor)));
      block_.ops.push_back({.op = "CONST", .attribute_type = "ConstAttribute", .outputs = {name}});
    }
    const OpApplication& op = program.ops.front();
    if (HasNewShape(Info(op.op))) return LeftOut("a new shape is an operand of type shape");
    StoredOp stored = {.op = absl::AsciiStrToUpper(Name(op.op)), .attribute_type = AttributeTypeOf(op.op)};
    for (const ValueRef& operand : op.operands) {
      stored.inputs.push_back(
          absl::StrCat(operand.kind == ValueRef::Kind::kArgument ? "input-" : "const-", operand.index));
    }
    stored.outputs = block_.outputs = {"result-0"};
    TOSAIC_RETURN_IF_ERROR(AddTensor("result-0", op.result, {}));
    stored.attribute = AttributesOf(op);
    block_.ops.push_back(std::move(stored));
    return StoredGraph{{1, 0, 2, false}, {{"main", {std::move(block_)}}}};
  }

 private:
  absl::Status AddTensor(std::string name, const TensorType& type, std::vector<uint8_t> data) {
    const std::optional<absl::string_view> stored = StoredName(type.element_type);
    if (!stored) return LeftOut(absl::StrCat("the flatbuffer has no element type ", Name(type.element_type)));
    if (!type.shape.IsStatic()) return LeftOut("no run says what the shapes are");
    block_.tensors.push_back({std::move(name), StaticSizes(type.shape), std::string(*stored), std::move(data)});
    return absl::OkStatus();
  }

  // An absent attribute is written with MLIR's default: the schema's own default of an enum is none of its values.
  static StoredAttributes AttributesOf(const OpApplication& op) {
    StoredAttributes stored;
    const ByKind store{[&](const AttributeInfo& info, const std::optional<TypedBits>& number) {
                         if (!number) return;
                         Tensor tensor(number->type, {1});
                         tensor.SetBits(0, number->bits);
                         stored[info.attribute] = Packed(tensor);
                       },
                       [&](const AttributeInfo& info, const std::optional<bool>& value) {
                         if (value.value_or(false)) stored[info.attribute] = true;
                       },
                       [&]<NamedEnum E>(const AttributeInfo& info, const std::optional<E>& value) {
                         stored[info.attribute] = std::string(Name(value.value_or(E())));
                       },
                       [](const AttributeInfo&, const std::optional<std::vector<int64_t>>&) {}};
    ForEachAttribute(op.attributes, [&](const AttributeInfo& info, const auto& value) {
      if (HasAttribute(Info(op.op), info.attribute)) store(info, value);
    });
    return stored;
  }

  StoredBlock block_ = {.name = "main"};
};

// The tolerance that the specification allows, in the form in which tests state it. kOfTheOp: the reference model
// computes the bound itself, by the op.
StatedTolerance ToleranceFor(const Program& program, const OpApplication& op, const Policies& policies) {
  const ElementType type = op.result.element_type;
  if (!IsFloat(type)) return {};
  const Accuracy& rule = AccuracyOf(Info(op.op), type, policies);
  switch (rule.kind) {
    case Accuracy::Kind::kExact:
      break;
    case Accuracy::Kind::kUlp:
      return {.outward = rule.ulp, .inward = rule.ulp};
    case Accuracy::Kind::kAbsoluteError: {
      const bool is_magnitude = rule.m != Accuracy::Magnitude::kReference;
      const double base = rule.b_base * AccuracyBase(type) + (is_magnitude ? rule.b_const : 0);
      return {.mode = StatedTolerance::Mode::kAbsoluteError,
              .absolute = {base, rule.l, static_cast<double>(rule.d), is_magnitude,
                           rule.least_in_normal_min * Format(type).normal_min}};
    }
    case Accuracy::Kind::kPow:
    case Accuracy::Kind::kPow100:
      return {.mode = StatedTolerance::Mode::kOfTheOp};
    case Accuracy::Kind::kCast:
      return {.outward = 0.5, .inward = IsFloat(InputElementType(program, op)) ? 1 : 0.5};
  }
  return {};
}

constexpr Capability kExtensions[] = {Capability::kInt16, Capability::kInt4, Capability::kBf16, Capability::kFp8E4M3,
                                      Capability::kFp8E5M2};

// The fewest profiles and extensions with which the program is valid; all, if there are none such.
ArmRequirements RequirementsOf(const Program& program, const Policies& policies) {
  const auto name = [](absl::string_view prefix, Capability capability) {
    const absl::string_view profile = IsProfile(capability) ? "pro_" : "";
    return absl::StrCat(prefix, absl::StrReplaceAll(Name(capability).substr(profile.size()), {{"_", "-"}}));
  };
  std::vector<std::vector<Capability>> sets = {{}};
  for (const Capability extension : kExtensions) sets.push_back({extension});
  sets.push_back({std::begin(kExtensions), std::end(kExtensions)});
  ArmRequirements requirements;
  for (const std::vector<Capability>& extensions : sets) {
    requirements.extensions.clear();
    for (const Capability extension : extensions) requirements.extensions.push_back(name("tosa-ext-", extension));
    for (const Capability profile : {Capability::kProInt, Capability::kProFp}) {
      ValidationTarget target = {.capabilities = {extensions.begin(), extensions.end()}, .strict = true};
      target.capabilities.insert(profile);
      if (JudgeValidity(program, target, policies).answer != Answer::kAccept) continue;
      requirements.profiles.push_back(name("tosa-pro-", profile));
    }
    if (!requirements.profiles.empty()) return requirements;
  }
  requirements.profiles = {"tosa-pro-fp", "tosa-pro-int"};
  return requirements;
}

// As Arm's generator writes it: raw bytes of f8E4M3FN, and numbers of f8E5M2.
std::string NpyForArm(const Tensor& tensor) {
  std::string npy = ToNpy(tensor);
  if (!IsFp8(tensor.element_type())) return npy;
  const size_t description = npy.find("'|V1'");
  return npy.replace(description, 5, tensor.element_type() == ElementType::kF8E5M2 ? "'|u1'" : "'<V1'");
}

absl::StatusOr<ArmFolder> FolderOf(std::string name, const Program& program, const Run& run, absl::string_view error,
                                   const Policies& policies) {
  const OpApplication& op = program.ops.front();
  TOSAIC_ASSIGN_OR_RETURN(StoredGraph graph, Writer().Write(program));
  ArmFolder folder = {.name = std::move(name), .must_fail = !error.empty()};
  ArmDescription description = {.program = kProgramFile,
                                .output_names = {"result-0"},
                                .output_files = {"result-0.npy"},
                                .must_fail = folder.must_fail,
                                .version = kVersion,
                                .tags = {"tosaic"},
                                .requirements = RequirementsOf(program, policies)};
  const StoredTensor& result = graph.regions[0].blocks[0].tensors.back();
  description.details = {absl::AsciiStrToUpper(Name(op.op)), std::string(error), {result.type}, {result.shape}};
  if (!folder.must_fail) {
    const StatedTolerance tolerance = ToleranceFor(program, op, policies);
    ArmCompliance compliance = ComplianceOf(tolerance);
    compliance.data_type = result.type;
    compliance.shape = result.shape;
    description.requirements.bounds_file = tolerance.mode != StatedTolerance::Mode::kUnits;
    description.meta.compliance = ArmCompliances{{{"result-0", std::move(compliance)}}, kVersion};
  }
  for (size_t i = 0; i < run.size(); ++i) {
    description.input_names.push_back(absl::StrCat("input-", i));
    description.input_files.push_back(absl::StrCat("input-", i, ".npy"));
    folder.files[description.input_files.back()] = NpyForArm(run[i]);
  }
  folder.files[kProgramFile] = Dump(ToJson(graph), 1) + "\n";
  folder.files[kArmDescription] = Dump(ToJson(description), 1) + "\n";
  return folder;
}

// A test of a program of static shapes: one that must be refused, or one with a run.
absl::StatusOr<ArmFolder> StaticFolderOf(std::string name, const Program& program, const Run* run,
                                         const Policies& policies) {
  ValidationTarget target = {.strict = true};
  target.capabilities.insert(std::begin(kExtensions), std::end(kExtensions));
  const Legality legality = JudgeValidity(AsStored(program), target, policies);
  if (legality.answer != Answer::kRefuse && JudgeValidity(program, target, policies).answer == Answer::kRefuse) {
    return LeftOut("an attribute that is missing has a value in the flatbuffer");
  }
  if (legality.answer == Answer::kRefuse) {
    Run zeros;
    for (const TensorType& type : program.arguments) {
      if (!type.shape.IsStatic()) return LeftOut("no run says what the shapes are");
      zeros.emplace_back(type.element_type, StaticSizes(type.shape));
    }
    return FolderOf(std::move(name), program, zeros, Name(legality.rule), policies);
  }
  if (run == nullptr || legality.answer != Answer::kAccept) return LeftOut("the documents leave the decision open");
  Case test_case;
  test_case.program = program;
  test_case.runs = {*run};
  const OpApplication& op = program.ops.front();
  const std::vector<const Tensor*> operands = OperandsIn(test_case, 0, {nullptr}, op);
  const std::vector<Expected> expected = Evaluate(program, op, operands, StaticSizes(op.result.shape), policies);
  if (absl::c_any_of(expected, [](const Expected& e) { return e.kind == Expected::Kind::kUndefined; })) {
    return LeftOut("the documents leave elements undefined");
  }
  return FolderOf(std::move(name), program, *run, "", policies);
}

}  // namespace

absl::StatusOr<std::vector<ArmFolder>> ArmFoldersOf(absl::string_view name, const Case& test_case,
                                                    const Policies& policies) {
  const Program& program = test_case.program;
  if (program.ops.size() != 1) return LeftOut("a test states the tolerance of one op");
  if (program.results.size() != 1) return LeftOut("a test has one result");
  std::vector<ArmFolder> folders;
  if (test_case.runs.empty()) {
    TOSAIC_ASSIGN_OR_RETURN(ArmFolder folder, StaticFolderOf(std::string(name), program, nullptr, policies));
    folders.push_back(std::move(folder));
  }
  for (size_t i = 0; i < test_case.runs.size(); ++i) {
    const Run& run = test_case.runs[i];
    const std::optional<Program> fixed = HasDynamicType(program) ? WithShapesOf(run, program) : program;
    if (!fixed) return LeftOut("the shapes of a run contradict each other");
    TOSAIC_ASSIGN_OR_RETURN(ArmFolder folder, StaticFolderOf(absl::StrCat(name, "-", i), *fixed, &run, policies));
    folders.push_back(std::move(folder));
  }
  return folders;
}

}  // namespace tosaic
