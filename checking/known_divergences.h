// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Known divergences: findings that are understood and listed with a reason, so that the exit status depends only on new
// ones. The file is JSON, a list of entries; docs/keys.md has their keys. A signature is a shell pattern: `*` stands
// for anything, also across `/`. Or it is an object with a pattern for each part that matters (model/signature.h).
// Beside the signature an entry may require the case's ops, their types, shapes, passes (circumstances.h), versions of
// the toolchain (version_range.h), and another CPU. Entries with the same cause are one bug to fix; an entry without a
// cause is its own. A misspelt key or name is refused, because an entry that lost its versions or ops would hide new
// findings.
#ifndef TOSAIC_CHECKING_KNOWN_DIVERGENCES_H_
#define TOSAIC_CHECKING_KNOWN_DIVERGENCES_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "checking/circumstances.h"
#include "checking/version_range.h"
#include "codec/visitor.h"
#include "model/signature.h"
#include "toolchain/toolchain.h"

namespace tosaic {

class KnownDivergences {
 public:
  struct Entry {
    std::string signature;  // as one text, also if the file has its parts
    std::string cause;      // the signature if the file has none
    std::string reason;
    std::vector<VersionRange> versions;  // none: any
    std::vector<std::string> cpus;       // names of model/cpus.h, "host" for this machine's own; none: any
    bool has_parts = false;              // the file has it in parts; else `signature` is a pattern for the whole text
    SignaturePattern parts;              // of a whole text: those parts that it names, and else anything
    std::vector<std::string> ops;        // shell patterns; none: any
    std::vector<std::string> types;      // the same, of its ops' element types
    std::vector<std::string> shapes;     // the same, of its ops' classes of shapes
    std::vector<std::string> passes;     // the same
    std::vector<std::string> cases;      // files that show the cause
    std::string since, link;             // for people

    bool Matches(const FindingSignature& found, const Circumstances& circumstances) const;
    // Whether a case of that op, with these element types ("i8-i32") and on that route, may show it, as far as the
    // entry's parts tell.
    bool MayBeShownBy(absl::string_view op, absl::string_view types, absl::string_view route) const;
  };

  KnownDivergences() = default;
  explicit KnownDivergences(std::vector<Entry> entries) : entries_(std::move(entries)) {}
  static absl::StatusOr<KnownDivergences> FromText(absl::string_view text);
  static absl::StatusOr<KnownDivergences> FromFile(const std::string& path);

  // Without the entries that are about other versions or CPUs. `version`: a toolchain's, as VersionRange has it; `cpu`:
  // a name of model/cpus.h, or empty for this machine's own.
  KnownDivergences For(absl::string_view version, absl::string_view cpu = "") const;

  // Notes which entries are about MLIR as it is released: those with a cause of `of_mlir`.
  void NoteThoseOfMlir(const KnownDivergences& of_mlir);
  // The entries that may explain a case: all, or, where such an MLIR has it right, those that are not about it.
  const KnownDivergences& Explaining(bool mlir_is_right) const { return mlir_is_right && others_ ? *others_ : *this; }

  // The first entry that matches, or null.
  const Entry* Find(const FindingSignature& signature, const Circumstances& circumstances) const;
  // `test_case`: the case that shows it; null for a probe, which entries with circumstances do not match.
  const Entry* Find(const FindingSignature& signature, const Case* test_case, const Toolchain& toolchain) const;
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  friend void Fields(Visitor& v, KnownDivergences& known);
  std::vector<Entry> entries_;
  std::shared_ptr<const KnownDivergences> others_;  // those that are not about MLIR; null: nobody noted any
};
void Fields(Visitor& v, KnownDivergences& known);
void Fields(Visitor& v, KnownDivergences::Entry& entry);

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_KNOWN_DIVERGENCES_H_
