// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/identity.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "codec/codec.h"
#include "model/digest.h"
#include "model/json.h"

namespace tosaic {
namespace {

std::string TextOf(const GeneratorOptions& options) {
  std::string ops =
      absl::StrJoin(options.ops, ",", [](std::string* out, OpKind op) { absl::StrAppend(out, Name(op)); });
  std::string types =
      absl::StrJoin(options.types, ",", [](std::string* out, ElementType type) { absl::StrAppend(out, Name(type)); });
  return absl::StrCat("ops=", ops, " types=", types, " runs=", options.runs, " max_elements=", options.max_elements,
                      " illegal=", options.illegal_percent, " beyond_spec=", options.beyond_spec_percent,
                      " misfit=", options.misfit_percent, " chains=", options.chain_percent,
                      " graphs=", options.graph_percent, " identities=", options.identity_percent,
                      " twins=", options.twin_percent, " reshapes=", options.reshape_percent);
}

std::string TextOf(const Policies& policies) {
  return absl::StrCat("strict_static_result=", policies.refuse_static_result_of_dynamic_inference,
                      " spec=", Name(policies.spec_version), policies.strict_values ? " strict_values=1" : "");
}

AskedFor AskedForBy(const GeneratorOptions& generator, const Policies& policies) {
  AskedFor asked = {.types = generator.types,
                    .runs = generator.runs,
                    .max_elements = generator.max_elements,
                    .illegal = generator.illegal_percent,
                    .beyond_spec = generator.beyond_spec_percent,
                    .misfit = generator.misfit_percent,
                    .chains = generator.chain_percent,
                    .graphs = generator.graph_percent,
                    .identities = generator.identity_percent,
                    .twins = generator.twin_percent,
                    .reshapes = generator.reshape_percent,
                    .strict_static_result = policies.refuse_static_result_of_dynamic_inference,
                    .strict_values = policies.strict_values,
                    .spec = policies.spec_version};
  for (const OpKind op : generator.ops) asked.ops.push_back(std::string(Name(op)));
  return asked;
}

// The lists that follow name every field of a type, so that a new one does not compile before it is said here whether
// it decides verdicts.

Json AllOf(const GeneratorOptions& options) {
  const auto& [ops, types, runs, max_elements, routes, illegal, beyond_spec, chains, graphs, identities, misfits, twins,
               reshapes, numbers, numbers_percent, spec_version, draft_attributes, blocks, for_validator, as_tosa] =
      options;
  Json names = Json::array();
  for (const OpKind op : ops) names.push_back(std::string(Name(op)));
  for (const ElementType type : types) names.push_back(std::string(Name(type)));
  Json all = Json::array({names, runs, max_elements, routes, illegal, beyond_spec, chains, graphs, identities, misfits,
                          twins, reshapes, static_cast<int>(spec_version), for_validator});
  if (!numbers.empty()) all.push_back({numbers, numbers_percent});
  if (draft_attributes) all.push_back("draft attributes");
  if (as_tosa) all.push_back("as TOSA");
  for (const ElementType block : blocks) all.push_back(std::string(Name(block)));
  return all;
}

Json AllOf(const JudgeOptions& options) {
  const auto& [policies, mlir_version, validation] = options;
  const auto& [strict_static_result, spec_version, strict_values, dialect] = policies;
  return Json::array({strict_static_result, static_cast<int>(spec_version), strict_values, static_cast<int>(dialect),
                      mlir_version, validation ? ToString(*validation) : ""});
}

Json AllOf(const Guided& options) {
  const auto& [blocks, mutant_percent, start, directory, take] = options;
  uint64_t corpus = kDigestOfNothing;
  for (const Case& test_case : start) corpus = Digest(CaseToText(test_case), corpus);
  return Json::array({blocks != nullptr ? blocks->name() : "", mutant_percent, corpus});
}

std::string DigestOf(const CampaignOptions& options) {
  const auto& [list, seed, cases, duration, shard, shards, jobs, limits, generator, changed, steer, guided, judge,
               second_judge, out, command_line, known, cases_without_known, known_cases, reduce, reduce_budget, read,
               reproducers] = options;
  Json which_cases =
      list ? Json::array({list->identity, generator.routes}) : Json::array({seed, AllOf(generator), steer});
  if (guided && !list) which_cases.push_back(AllOf(*guided));
  if (changed) which_cases.push_back(changed->Base());
  return absl::StrFormat("%016x", Digest(Dump(Json::array({which_cases, AllOf(judge)}), -1)));
}

struct Identity {
  CampaignOptions options;
  Provenance versions;
};

void Fields(Visitor& v, Identity& identity) {
  const CampaignOptions& options = identity.options;
  const bool listed = options.list.has_value();
  v.Constant("tosaic_campaign", 1);
  v.DerivedIf(listed, "list", listed ? options.list->identity : "",
              "the name of the list of cases; a campaign over a seed has the next key instead");
  v.DerivedIf(!listed, "seed", options.seed);
  v.Derived("shard", options.shard);
  v.Derived("shards", options.shards);
  v.DerivedIf(!listed, "routes", options.generator.routes, "names and weights");
  v.Derived("versions", identity.versions, "without what is of one machine");
  v.DerivedIf(!listed, "generator", TextOf(options.generator), "for people; so are the policies");
  v.DerivedIf(!listed, "steered", options.steer);
  v.DerivedIf(options.changed.has_value(), "changed_only", true, "only what a patch changes is run");
  v.DerivedIf(options.changed.has_value(), "changed_from", options.changed ? options.changed->Base() : "",
              "what the patch is compared with");
  v.DerivedIf(!listed && options.guided, "guided", options.guided && options.guided->blocks != nullptr,
              "of a guided campaign: whether blocks guide it, or rules alone");
  v.Derived("policies", TextOf(options.judge.policies));
  v.Derived("asked_for", AskedForBy(options.generator, options.judge.policies), "the same by names");
  v.Derived("options", DigestOf(options), "a digest of every option that decides verdicts, but for the shard");
}

}  // namespace

void Fields(Visitor& v, AskedFor& asked) {
  v.Type("asked-for");
  v("ops", asked.ops, "empty: all");
  v("types", asked.types, "empty: all");
  v("runs", asked.runs, "of each legal case");
  v("max_elements", asked.max_elements, "of any tensor");
  v("illegal", asked.illegal, "how many of a hundred cases; so are those that follow");
  v("beyond_spec", asked.beyond_spec);
  v("misfit", asked.misfit);
  v("chains", asked.chains);
  v("graphs", asked.graphs);
  v("identities", asked.identities);
  v("twins", asked.twins);
  v("reshapes", asked.reshapes);
  v("strict_static_result", asked.strict_static_result);
  v("spec", asked.spec, "the release of the specification");
  v("strict_values", asked.strict_values);
}

Json IdentityOf(const CampaignOptions& options, const Provenance& versions) {
  return ToJson(Identity{options, versions});
}

Json SchemaOfIdentity() { return Schema<Identity>(); }

}  // namespace tosaic
