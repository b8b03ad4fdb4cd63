// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --format=tap: the Test Anything Protocol, version 14, for harnesses that read lines. A test point per tile, then one
// per finding that asks for attention and one per harness fault.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "model/escape.h"
#include "reports/formats.h"

namespace tosaic {
namespace {

class Points {
 public:
  // `skipped`: why it says nothing; empty: it does.
  void Add(bool ok, absl::string_view name, absl::string_view skipped = "") {
    absl::StrAppend(&lines_, ok ? "ok " : "not ok ", ++count_, " - ", Escaped(name));
    if (!skipped.empty()) absl::StrAppend(&lines_, " # SKIP ", Escaped(skipped));
    lines_ += '\n';
  }
  std::string Text(absl::string_view title) const {
    return absl::StrCat("TAP version 14\n# ", Escaped(title), "\n1..", count_, "\n", lines_);
  }

 private:
  // A '#' would begin a directive.
  static std::string Escaped(absl::string_view text) {
    return absl::StrReplaceAll(OneLine(text), {{"\\", "\\\\"}, {"#", "\\#"}});
  }

  int count_ = 0;
  std::string lines_;
};

bool SaysNothing(Standing standing) {
  return standing == Standing::kUnsupported || standing == Standing::kUndefinedOnly ||
         standing == Standing::kNotApplicable;
}

}  // namespace

std::string ReportToTap(const ResultReport& report) {
  Points points;
  for (const ReportTile& tile : report.tiles) {
    const bool fails = IsUrgent(tile.standing);
    points.Add(!fails, absl::StrCat(tile.tile.op, " ", tile.tile.types, " ", tile.tile.shapes),
               SaysNothing(tile.standing) ? Info(tile.standing).name : "");
  }
  for (const ReportFinding& finding : report.findings) {
    if (IsUrgent(finding)) points.Add(false, ToString(finding.signature));
  }
  for (const std::string& fault : report.harness_faults) points.Add(false, "harness fault: " + fault);
  for (const std::string& part : report.not_run) points.Add(true, part, NotRunInWords(report));
  if (report.interrupted) points.Add(false, kInterrupted);
  return points.Text(report.title);
}

}  // namespace tosaic
