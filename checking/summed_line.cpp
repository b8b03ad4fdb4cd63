// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/summed_line.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "model/digest.h"

namespace tosaic {
namespace {

constexpr absl::string_view kBeforeSum = ",\"sum\":\"";
constexpr size_t kSumDigits = 8;

// `line` comes without its checksum, and ends in a brace.
std::string ChecksumOf(absl::string_view line) {
  const uint64_t digest = Digest(line);
  return absl::StrFormat("%08x", (digest ^ (digest >> 32)) & 0xffffffff);
}

}  // namespace

std::string WithSum(std::string line) {
  const std::string sum = ChecksumOf(line);
  line.pop_back();
  return absl::StrCat(line, kBeforeSum, sum, "\"}");
}

LineSum SumOf(absl::string_view line) {
  if (!absl::ConsumeSuffix(&line, "\"}") || line.size() < kSumDigits + kBeforeSum.size()) return LineSum::kNone;
  const absl::string_view sum = line.substr(line.size() - kSumDigits);
  line.remove_suffix(kSumDigits);
  if (!absl::ConsumeSuffix(&line, kBeforeSum)) return LineSum::kNone;
  return sum == ChecksumOf(absl::StrCat(line, "}")) ? LineSum::kRight : LineSum::kWrong;
}

}  // namespace tosaic
