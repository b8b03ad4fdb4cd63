#include "results/result_file.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace tosaic {

absl::StatusOr<Json> ParseResultFile(absl::string_view text) {
  absl::StatusOr<Json> json = ParseJson(text);
  if (!json.ok()) return absl::InvalidArgumentError("no complete JSON document: cut short?");
  if (!json->is_object() || !json->contains("tosaic_report")) {
    return absl::InvalidArgumentError("no result file of Tosaic: the key \"tosaic_report\" is missing");
  }
  if ((*json)["tosaic_report"] != kReportVersion) {
    return absl::InvalidArgumentError(absl::StrCat("written in version ", Dump((*json)["tosaic_report"], -1),
                                                   " of the format; this Tosaic reads version ", kReportVersion));
  }
  if (!json->contains("kind") || !(*json)["kind"].is_string()) {
    return absl::InvalidArgumentError("no result file of Tosaic: the key \"kind\" names none");
  }
  return json;
}

}  // namespace tosaic
