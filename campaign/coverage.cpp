// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/coverage.h"

#include <cstdint>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "generators/typed_op.h"
#include "model/op_catalogue.h"
#include "model/shape_class.h"

namespace tosaic {
namespace {

// Every combination that cases of one op can have, as far as the options allow; "add f32", "add f32 dynamic", ...
struct Possible {
  std::set<std::string> op_types, op_types_shapes, op_types_shapes_routes;

  explicit Possible(const GeneratorOptions& options) {
    for (const OpInfo& op : AllOps()) {
      for (const TypeTuple& tuple : TuplesOf(op, options.spec_version)) {
        if (!Allows(options, {op.kind, tuple.input, tuple.result})) continue;
        const std::string types = absl::StrCat(op.name, " ", TypesName(tuple.input, tuple.result));
        op_types.insert(types);
        for (const ShapeClass shape_class : All<ShapeClass>()) {
          if (!IsPossible(shape_class, BroadcastOperandCount(op))) continue;
          const std::string shapes = absl::StrCat(types, " ", Name(shape_class));
          op_types_shapes.insert(shapes);
          for (const auto& [route, weight] : options.routes) {
            op_types_shapes_routes.insert(absl::StrCat(shapes, " ", route));
          }
        }
      }
    }
  }
};

Share ShareOf(const std::set<std::string>& seen, const std::set<std::string>& possible) {
  const auto is_possible = [&](const std::string& one) { return possible.contains(one); };
  return {static_cast<uint64_t>(absl::c_count_if(seen, is_possible)), possible.size()};
}

}  // namespace

Coverage CoverageOf(const std::vector<const CaseRecord*>& records, const GeneratorOptions& options,
                    const std::vector<std::string>& patterns) {
  Coverage coverage;
  std::set<std::string> op_types, op_types_shapes, op_types_shapes_routes, fired;
  for (const CaseRecord* record : records) {
    const std::string types = absl::StrCat(record->op, " ", record->types);
    const std::string shapes = absl::StrCat(types, " ", record->shapes);
    if (record->category.empty()) {  // not refused by the verifier
      op_types.insert(types);
      op_types_shapes.insert(shapes);
      op_types_shapes_routes.insert(absl::StrCat(shapes, " ", record->route));
    }
    ++coverage.shapes[record->shapes];
    ++coverage.routes[record->route];
    ++coverage.rules[record->rule];
    if (!record->twin.empty()) ++coverage.twins[record->twin];
    if (!record->category.empty()) ++coverage.categories[record->category];
    fired.insert(record->patterns.begin(), record->patterns.end());
  }
  const Possible possible(options);
  coverage.op_types = ShareOf(op_types, possible.op_types);
  coverage.op_types_shapes = ShareOf(op_types_shapes, possible.op_types_shapes);
  coverage.op_types_shapes_routes = ShareOf(op_types_shapes_routes, possible.op_types_shapes_routes);
  coverage.fired = {fired.begin(), fired.end()};
  for (const std::string& pattern : patterns) {
    if (!fired.contains(pattern)) coverage.never_fired.push_back(pattern);
  }
  coverage.patterns = {patterns.size() - coverage.never_fired.size(), patterns.size()};
  return coverage;
}

}  // namespace tosaic
