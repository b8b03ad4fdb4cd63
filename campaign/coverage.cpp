// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/coverage.h"

#include <cstdint>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "generators/typed_op.h"
#include "model/op_catalogue.h"
#include "model/pass_sequence.h"
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
        const std::string types = absl::StrCat(op.name, " ", ToString(TypePair{tuple.input, tuple.result}));
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
  const auto is_possible = [&](const std::string& combination) { return possible.contains(combination); };
  return {static_cast<uint64_t>(absl::c_count_if(seen, is_possible)), possible.size()};
}

}  // namespace

void Fields(Visitor& v, Reached& reached) {
  v.Type("reached");
  v("op_types", reached.op_types, "op and element types, of cases of one op");
  v("op_types_shapes", reached.op_types_shapes, "the same with the class of shapes");
  v("op_types_shapes_routes", reached.op_types_shapes_routes, "the same with the route too");
  v("fired", reached.fired, "rewrite patterns");
  v("shapes", reached.shapes, "cases");
  v("routes", reached.routes);
  v("twins", reached.twins);
  v("rules", reached.rules);
  v("categories", reached.categories);
}

Reached ReachedBy(const std::vector<const CaseRecord*>& records) {
  Reached reached;
  for (const CaseRecord* record : records) {
    const std::string types = absl::StrCat(Name(record->op), " ", ToString(record->types));
    const std::string shapes = absl::StrCat(types, " ", Name(record->shapes));
    if (record->category.empty()) {  // not refused by the verifier
      reached.op_types.insert(types);
      reached.op_types_shapes.insert(shapes);
      reached.op_types_shapes_routes.insert(absl::StrCat(shapes, " ", RouteName(record->route)));
    }
    ++reached.shapes[std::string(Name(record->shapes))];
    ++reached.routes[std::string(RouteName(record->route))];
    ++reached.rules[std::string(Name(record->rule.id))];
    if (!record->twin.empty()) ++reached.twins[record->twin];
    if (!record->category.empty()) ++reached.categories[record->category];
    reached.fired.insert(record->patterns.begin(), record->patterns.end());
  }
  return reached;
}

void Add(const Reached& other, Reached* to) {
  for (auto set : {&Reached::op_types, &Reached::op_types_shapes, &Reached::op_types_shapes_routes, &Reached::fired}) {
    (to->*set).insert((other.*set).begin(), (other.*set).end());
  }
  for (auto counts : {&Reached::shapes, &Reached::routes, &Reached::twins, &Reached::rules, &Reached::categories}) {
    AddCounts(other.*counts, &(to->*counts));
  }
}

Coverage CoverageOf(const Reached& reached, const GeneratorOptions& options, const std::vector<std::string>& patterns) {
  Coverage coverage = {.shapes = reached.shapes,
                       .routes = reached.routes,
                       .twins = reached.twins,
                       .rules = reached.rules,
                       .categories = reached.categories};
  const Possible possible(options);
  coverage.op_types = ShareOf(reached.op_types, possible.op_types);
  coverage.op_types_shapes = ShareOf(reached.op_types_shapes, possible.op_types_shapes);
  coverage.op_types_shapes_routes = ShareOf(reached.op_types_shapes_routes, possible.op_types_shapes_routes);
  coverage.fired = {reached.fired.begin(), reached.fired.end()};
  for (const std::string& pattern : patterns) {
    if (!reached.fired.contains(pattern)) coverage.never_fired.push_back(pattern);
  }
  coverage.patterns = {patterns.size() - coverage.never_fired.size(), patterns.size()};
  return coverage;
}

}  // namespace tosaic
