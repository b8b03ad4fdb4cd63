// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweeps/sweep_space.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "absl/algorithm/container.h"
#include "model/signature_program.h"

namespace tosaic {
namespace {

std::vector<OpKind> OpsOf(const TypeSweepOptions& options) {
  if (!options.tosa) return {};
  if (!options.ops.empty()) return options.ops;
  std::vector<OpKind> ops;
  for (const OpInfo& info : AllOps()) ops.push_back(info.kind);
  return ops;
}

// All shapes up to a rank over the dimensions, and unranked, which comes first.
std::vector<Shape> Shapes(int max_rank, const std::vector<Dim>& dims) {
  std::vector<Shape> shapes = {Shape::Unranked(), Shape()};
  for (size_t begin = 1, rank = 1; rank <= static_cast<size_t>(max_rank); ++rank) {
    const size_t end = shapes.size();
    for (; begin < end; ++begin) {
      for (const Dim dim : dims) {
        std::vector<Dim> longer = shapes[begin].dims();
        longer.push_back(dim);
        shapes.emplace_back(std::move(longer));
      }
    }
  }
  return shapes;
}

// Every tuple of `count` out of `types`.
std::vector<std::vector<size_t>> AllTuples(size_t types, size_t count) {
  std::vector<std::vector<size_t>> tuples = {{}};
  for (size_t i = 0; i < count; ++i) {
    std::vector<std::vector<size_t>> longer;
    longer.reserve(tuples.size() * types);
    for (const std::vector<size_t>& tuple : tuples) {
      for (size_t type = 0; type < types; ++type) {
        longer.push_back(tuple);
        longer.back().push_back(type);
      }
    }
    tuples = std::move(longer);
  }
  return tuples;
}

// The op on as many arguments of rank 0; the special operands among the rest are constants of 0.
Program Prototype(const OpInfo& info, ElementType input, ElementType result, size_t operands) {
  auto scalar = [](ElementType type) { return ValueType{Container::kTensor, {Shape(), type}}; };
  OpSignature signature{std::string(info.name), {}, scalar(result)};
  for (const OperandRole role : info.operands.first(operands)) {
    signature.operands.push_back(scalar(TypeOfOperand(role, input, result)));
  }
  return ProgramOf(signature).value();
}

// The new shape is this one, with -1 for a dynamic dimension.
void SetNewShape(const Shape& shape, Program& prototype) {
  std::optional<std::vector<int64_t>>& new_shape = prototype.ops.front().attributes.new_shape;
  if (!new_shape) return;
  new_shape->clear();
  for (const Dim dim : shape.dims()) new_shape->push_back(dim.IsDynamic() ? -1 : dim.size());
}

// Adds every shape of an element type; returns the first one's number.
size_t AddTypes(const std::vector<Shape>& shapes, Container container, ElementType type, SweepSpace* space) {
  for (const Shape& shape : shapes) space->types.push_back({container, {shape, type}});
  return space->types.size() - shapes.size();
}

std::vector<size_t> Numbers(size_t first, size_t count) {
  std::vector<size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

// Tuples of shapes, `operands[i]` being the type number of operand i's first shape, and a result type per shape.
void AddShapeTuples(const std::vector<size_t>& operands, size_t result, size_t shapes, bool one_order,
                    SweepSpace* space) {
  space->tuples = one_order ? OneOrderEach(shapes, operands.size()) : AllTuples(shapes, operands.size());
  for (std::vector<size_t>& tuple : space->tuples) {
    for (size_t i = 0; i < tuple.size(); ++i) tuple[i] += operands[i];
  }
  space->results = Numbers(result, shapes);
}

SweepSpace ShapesOf(const OpInfo& info, const TypeSweepOptions& options) {
  const std::vector<Shape> shapes = Shapes(options.max_rank, options.dims);
  const TypeTuple& tuple = info.spec_types.front();
  SweepSpace space{.op = std::string(info.name),
                   .prototype = Prototype(info, tuple.input, tuple.result, BroadcastOperandCount(info))};
  std::vector<size_t> operands;
  for (const TensorType& argument : space.prototype->arguments) {
    operands.push_back(AddTypes(shapes, Container::kTensor, argument.element_type, &space));
  }
  const size_t result = AddTypes(shapes, Container::kTensor, tuple.result, &space);
  AddShapeTuples(operands, result, shapes.size(), IsTooMuchForEveryOrder(operands.size(), options.max_rank), &space);
  return space;
}

// Every shape against every other; where the result has a new shape, also against each of these.
std::vector<SweepSpace> AllShapesOf(const OpInfo& info, const TypeSweepOptions& options) {
  std::vector<SweepSpace> spaces = {ShapesOf(info, options)};
  if (!HasNewShape(info)) return spaces;
  std::vector<Shape> new_shapes = Shapes(options.max_rank, options.dims);
  new_shapes.erase(new_shapes.begin());  // unranked
  spaces.resize(new_shapes.size(), spaces.front());
  for (size_t i = 0; i < spaces.size(); ++i) SetNewShape(new_shapes[i], *spaces[i].prototype);
  return spaces;
}

// All element types on tensor<1x...> for the operands that the dialect has as operands, the first input's being
// `input`: attributes are of its type.
SweepSpace ElementTypesOf(const OpInfo& info, ElementType input, size_t operands) {
  SweepSpace space{.op = std::string(info.name), .prototype = Prototype(info, input, input, operands)};
  SetNewShape(Shape({Dim::Static(1)}), *space.prototype);
  for (const ElementTypeInfo& type : AllElementTypes()) {
    AddTypes({Shape({Dim::Static(1)})}, Container::kTensor, type.type, &space);
  }
  const size_t first_input = FirstInput(info);
  for (std::vector<size_t>& tuple : AllTuples(space.types.size(), operands)) {
    if (space.types[tuple[first_input]].type.element_type == input) space.tuples.push_back(std::move(tuple));
  }
  space.results = Numbers(0, space.types.size());
  return space;
}

SweepSpace ProbeOverShapes(size_t operands, int max_rank, const TypeSweepOptions& options) {
  constexpr ElementType kElementTypes[] = {ElementType::kI1, ElementType::kI32, ElementType::kF16};
  const std::vector<Shape> shapes = Shapes(max_rank, options.dims);
  SweepSpace space{.op = kProbeOp};
  std::vector<size_t> firsts;
  for (size_t i = 0; i < operands; ++i) {
    firsts.push_back(AddTypes(shapes, Container::kTensor, kElementTypes[i % std::size(kElementTypes)], &space));
  }
  const size_t result = AddTypes(shapes, Container::kTensor, ElementType::kI64, &space);
  AddShapeTuples(firsts, result, shapes.size(), IsTooMuchForEveryOrder(operands, max_rank), &space);
  return space;
}

int ProbeRank(size_t operands, const TypeSweepOptions& options) {
  return operands <= 3 ? options.max_rank : std::min(options.max_rank, 1);
}

constexpr int kContainersRank = 2;

// Vectors have static dimensions of at least 1.
std::vector<Dim> VectorDims(std::vector<Dim> dims) {
  std::erase_if(dims, [](Dim dim) { return dim.IsDynamic() || dim.Is(0); });
  return dims;
}

// Tensors, vectors and scalars in any mixture.
SweepSpace ProbeOverContainers(size_t operands, const TypeSweepOptions& options) {
  const int max_rank = std::min(options.max_rank, kContainersRank);
  std::vector<Shape> vectors = Shapes(max_rank, VectorDims(options.dims));
  vectors.erase(vectors.begin());  // unranked
  SweepSpace space{.op = kProbeOp};
  AddTypes(Shapes(max_rank, options.dims), Container::kTensor, ElementType::kI32, &space);
  AddTypes(vectors, Container::kVector, ElementType::kI32, &space);
  AddTypes({Shape()}, Container::kScalar, ElementType::kI32, &space);
  space.results = Numbers(0, space.types.size());
  space.tuples = AllTuples(space.types.size(), operands);
  return space;
}

}  // namespace

bool IsTooMuchForEveryOrder(size_t operands, int max_rank) { return operands >= 3 && max_rank >= 3; }

std::vector<std::vector<size_t>> OneOrderEach(size_t types, size_t count) {
  std::vector<std::vector<size_t>> tuples;
  std::vector<size_t> multiset(count, 0);  // ascending
  for (size_t turn = 0;; ++turn) {
    std::vector<size_t> tuple = multiset;
    // The orders of a multiset by turns: rotated, and every other time reversed.
    std::rotate(tuple.begin(), tuple.begin() + static_cast<ptrdiff_t>(turn % count), tuple.end());
    if (turn / count % 2 == 1) absl::c_reverse(tuple);
    tuples.push_back(std::move(tuple));
    size_t at = count;
    while (at > 0 && multiset[at - 1] == types - 1) --at;
    if (at == 0) return tuples;
    std::fill(multiset.begin() + static_cast<ptrdiff_t>(at) - 1, multiset.end(), multiset[at - 1] + 1);
  }
}

double CountDecisions(const TypeSweepOptions& options) {
  auto shapes = [](int max_rank, size_t dims) {
    double count = 0;
    for (int rank = 0; rank <= max_rank; ++rank) count += std::pow(dims, rank);
    return count;
  };
  auto over_shapes = [&](size_t operands, int max_rank) {
    const double types = 1 + shapes(max_rank, options.dims.size());
    if (!IsTooMuchForEveryOrder(operands, max_rank)) return std::pow(types, operands + 1);
    double multisets = 1;
    for (size_t i = 0; i < operands; ++i) multisets *= (types + static_cast<double>(i)) / (static_cast<double>(i) + 1);
    return std::round(multisets) * types;
  };
  double decisions = 0;
  for (const OpKind op : OpsOf(options)) {
    const bool is_reshaped = HasNewShape(Info(op));
    const double new_shapes = is_reshaped ? shapes(options.max_rank, options.dims.size()) : 1;
    decisions += new_shapes * over_shapes(BroadcastOperandCount(Info(op)), options.max_rank) +
                 std::pow(AllElementTypes().size(), WrittenOperandCount(Info(op), Info(options.policies.dialect)) + 1);
  }
  if (options.probe) {
    for (size_t operands = 0; operands <= 6; ++operands)
      decisions += over_shapes(operands, ProbeRank(operands, options));
    const int max_rank = std::min(options.max_rank, kContainersRank);
    const double types =
        1 + shapes(max_rank, options.dims.size()) + shapes(max_rank, VectorDims(options.dims).size()) + 1;
    decisions += std::pow(types, 2) + std::pow(types, 3);
  }
  return decisions;
}

std::vector<SweepSpace> SweepSpaces(const TypeSweepOptions& options) {
  std::vector<SweepSpace> spaces;
  for (const OpKind op : OpsOf(options)) {
    absl::c_move(AllShapesOf(Info(op), options), std::back_inserter(spaces));
    for (const ElementTypeInfo& type : AllElementTypes()) {
      spaces.push_back(
          ElementTypesOf(Info(op), type.type, WrittenOperandCount(Info(op), Info(options.policies.dialect))));
    }
  }
  if (options.probe) {
    for (size_t operands = 0; operands <= 6; ++operands) {
      spaces.push_back(ProbeOverShapes(operands, ProbeRank(operands, options), options));
    }
    for (size_t operands = 1; operands <= 2; ++operands) spaces.push_back(ProbeOverContainers(operands, options));
  }
  return spaces;
}

}  // namespace tosaic
