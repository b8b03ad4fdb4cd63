// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/identity.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "checking/identity_difference.h"
#include "codec/codec.h"
#include "model/digest.h"
#include "model/json.h"

namespace tosaic {
namespace {

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

std::string GeneratorText(const AskedFor& asked) {
  const auto name = [](std::string* out, ElementType type) { absl::StrAppend(out, Name(type)); };
  return absl::StrCat("ops=", absl::StrJoin(asked.ops, ","), " types=", absl::StrJoin(asked.types, ",", name),
                      " runs=", asked.runs, " max_elements=", asked.max_elements, " illegal=", asked.illegal,
                      " beyond_spec=", asked.beyond_spec, " misfit=", asked.misfit, " chains=", asked.chains,
                      " graphs=", asked.graphs, " identities=", asked.identities, " twins=", asked.twins,
                      " reshapes=", asked.reshapes);
}

std::string PoliciesText(const AskedFor& asked) {
  return absl::StrCat("strict_static_result=", asked.strict_static_result, " spec=", Name(asked.spec),
                      asked.strict_values ? " strict_values=1" : "");
}

// The lists that follow name every field of a type, so that a new one does not compile before it is said here whether
// it decides verdicts.

Json AllOf(const GeneratorOptions& options) {
  const auto& [ops, types, runs, max_elements, routes, illegal, beyond_spec, chains, graphs, identities, misfits, twins,
               reshapes, numbers, numbers_percent, patch_ops, spec_version, draft_attributes, blocks, for_validator,
               as_tosa] = options;
  Json names = Json::array();
  for (const OpKind op : ops) names.push_back(std::string(Name(op)));
  for (const ElementType type : types) names.push_back(std::string(Name(type)));
  Json all = Json::array({names, runs, max_elements, routes, illegal, beyond_spec, chains, graphs, identities, misfits,
                          twins, reshapes, static_cast<int>(spec_version), for_validator});
  if (!numbers.empty()) all.push_back({numbers, numbers_percent});
  for (const OpKind op : patch_ops) all.push_back(std::string(Name(op)));
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
  const auto& [list, seed, cases, duration, shard, shards, jobs, limits, generator, base, changed, steer, guided, judge,
               second_judge, out, command_line, known, cases_without_known, known_cases, reduce, reduce_budget, read,
               reproducers] = options;
  Json which_cases =
      list ? Json::array({list->identity, generator.routes}) : Json::array({seed, AllOf(generator), steer});
  if (guided && !list) which_cases.push_back(AllOf(*guided));
  if (changed) which_cases.push_back(base->Name());
  return absl::StrFormat("%016x", Digest(Dump(Json::array({which_cases, AllOf(judge)}), -1)));
}

IdentityFacts FactsOf(const Identity& identity) {
  Json cases = Json::object();
  if (identity.list) cases["list"] = *identity.list;
  if (identity.seed) cases["seed"] = *identity.seed;
  cases.update({{"shard", identity.shard}, {"shards", identity.shards}});
  return {cases, ToJson(identity.asked_for), RoutesOf(identity), identity.versions};
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

void Fields(Visitor& v, Identity& identity) {
  v.Constant("tosaic_campaign", 1);
  v.Optional("list", identity.list, "the name of the list of cases; a campaign over a seed has the next key instead");
  v.Optional("seed", identity.seed);
  v.MayLack("shard", identity.shard);
  v.MayLack("shards", identity.shards);
  v.Optional("routes", identity.routes, "names and weights");
  v.MayLack("versions", identity.versions, "without what is of one machine");
  v.Optional("generator", identity.generator, "for people; so are the policies");
  v.Optional("steered", identity.steered);
  v.Optional("changed_only", identity.changed_only, "only what a patch changes is run");
  v.Optional("changed_from", identity.changed_from, "what the patch is compared with");
  v.Optional("guided", identity.guided, "of a guided campaign: whether blocks guide it, or rules alone");
  v.Optional("policies", identity.policies);
  v.Optional("asked_for", identity.asked_for, "the same by names");
  v.MayLack("options", identity.options, "a digest of every option that decides verdicts, but for the shard");
}

Identity IdentityOf(const CampaignOptions& options, const Provenance& versions) {
  const AskedFor asked = AskedForBy(options.generator, options.judge.policies);
  Identity identity = {.shard = options.shard,
                       .shards = options.shards,
                       .versions = versions,
                       .policies = PoliciesText(asked),
                       .changed_only = options.changed.has_value(),
                       .asked_for = asked,
                       .options = DigestOf(options)};
  if (options.changed) identity.changed_from = options.base->Name();
  if (options.list) {
    identity.list = options.list->identity;
    return identity;
  }
  identity.seed = options.seed;
  identity.routes = options.generator.routes;
  identity.generator = GeneratorText(asked);
  identity.steered = options.steer;
  if (options.guided) identity.guided = options.guided->blocks != nullptr;
  return identity;
}

std::vector<std::string> RoutesOf(const Identity& identity) {
  std::vector<std::string> names;
  for (const auto& [name, weight] : identity.routes) names.push_back(name);
  return names;
}

std::string DifferenceInWords(const Identity& there, const Identity& asked_for) {
  return DifferenceInWords(FactsOf(there), FactsOf(asked_for));
}

Json SchemaOfIdentity() { return Schema<Identity>(); }

}  // namespace tosaic
