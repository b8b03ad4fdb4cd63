// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --known, and the cases that a list names.
#include <functional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "checking/embedded_lists.h"
#include "checking/files.h"
#include "codec/status.h"
#include "tools/embedded_corpus.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

// Null if the path is not one of the corpus of this build.
const EmbeddedFile* FindEmbedded(absl::string_view path) {
  const absl::Span<const EmbeddedFile> corpus = EmbeddedCorpus();
  const auto found = absl::c_find_if(corpus, [&](const EmbeddedFile& file) { return file.path == path; });
  return found == corpus.end() ? nullptr : &*found;
}

}  // namespace

void AddKnown(CLI::App& app, std::string* known) {
  app.add_option("--known", *known, "a file of known divergences; 'default': the list of this build; 'none'")
      ->type_name("FILE")
      ->capture_default_str();
}

absl::Status ReadKnown(const std::string& flag, const Toolchain& toolchain, bool validation, KnownDivergences* known) {
  // The list of this build is of MLIR's causes.
  const bool is_mlir = toolchain.description().mlir_version > 0;
  if (flag == kNoneKnown || (flag == kDefaultKnown && !is_mlir)) return absl::OkStatus();
  const auto files = validation ? EmbeddedKnownDivergencesOfValidate() : EmbeddedKnownDivergences();
  TOSAIC_ASSIGN_OR_RETURN(const KnownDivergences of_mlir, KnownDivergences::FromText(files.front().content));
  absl::StatusOr<KnownDivergences> read = flag == kDefaultKnown ? of_mlir : KnownDivergences::FromFile(flag);
  TOSAIC_RETURN_IF_ERROR(read.status());
  *known = read->For(toolchain.description().version, toolchain.description().cpu);
  known->NoteThoseOfMlir(of_mlir);
  return absl::OkStatus();
}

absl::StatusOr<std::function<std::vector<Case>(const std::string& cause)>> CasesOf(const KnownDivergences& known) {
  for (const KnownDivergences::Entry& entry : known.entries()) {
    for (const std::string& path : entry.cases) {
      if (FindEmbedded(path) == nullptr) TOSAIC_RETURN_IF_ERROR(ReadSpecCase(path).status());
    }
  }
  return [entries = known.entries()](const std::string& cause) {
    std::vector<Case> cases;
    for (const KnownDivergences::Entry& entry : entries) {
      if (entry.cause != cause) continue;
      for (const std::string& path : entry.cases) {
        const EmbeddedFile* embedded = FindEmbedded(path);
        const absl::StatusOr<SpecCase> read =
            embedded != nullptr ? SpecCaseFromText(embedded->content) : ReadSpecCase(path);
        const Case* test_case = read.ok() ? read->test_case() : nullptr;
        if (test_case != nullptr) cases.push_back(*test_case);
      }
    }
    return cases;
  };
}

}  // namespace tosaic
