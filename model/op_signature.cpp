// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/op_signature.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"

namespace tosaic {
namespace {

// Reads the text from front to back and keeps the first error.
class SignatureParser {
 public:
  explicit SignatureParser(absl::string_view text) : text_(text), rest_(text) {}

  absl::StatusOr<OpSignature> Parse() && {
    OpSignature signature;
    signature.op = TakeName();
    Take("(", "'(' after the op's name");
    if (!Follows(")")) {
      do {
        signature.operands.push_back(TakeType());
      } while (ok() && Skip(","));
    }
    Take(")", "',' or ')' after an operand's type");
    Take("->", "'->' before the result's type");
    signature.result = TakeType();
    if (ok() && !Follows("")) Fail("the end");
    if (!ok()) return absl::InvalidArgumentError(error_);
    return signature;
  }

 private:
  bool ok() const { return error_.empty(); }

  void Fail(absl::string_view expected) {
    if (!ok()) return;
    std::string line(text_);
    std::replace_if(line.begin(), line.end(), [](unsigned char c) { return absl::ascii_iscntrl(c); }, ' ');
    const size_t column = text_.size() - rest_.size() + 1;
    error_ = absl::StrCat("'", line, "': expected ", expected, " at column ", column);
  }

  // Whether `token` comes next; if it is empty, whether the text is at its end.
  bool Follows(absl::string_view token) {
    rest_ = absl::StripLeadingAsciiWhitespace(rest_);
    return token.empty() ? rest_.empty() : absl::StartsWith(rest_, token);
  }
  bool Skip(absl::string_view token) { return Follows(token) && absl::ConsumePrefix(&rest_, token); }
  void Take(absl::string_view token, absl::string_view expected) {
    if (ok() && !Skip(token)) Fail(expected);
  }

  std::string TakeName() {
    rest_ = absl::StripLeadingAsciiWhitespace(rest_);
    const auto is_name = [](unsigned char c) { return absl::ascii_isalnum(c) || c == '_' || c == '.'; };
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_name);
    const absl::string_view word = rest_.substr(0, static_cast<size_t>(end - rest_.begin()));
    absl::string_view name = word;
    if (!absl::ConsumePrefix(&name, "tosa.")) absl::ConsumePrefix(&name, "tosaic.");
    if (name.empty()) Fail("an op's name: add, tosa.mul, ...");
    rest_.remove_prefix(word.size());
    return std::string(name);
  }

  ValueType TakeType() {
    rest_ = absl::StripLeadingAsciiWhitespace(rest_);
    if (!ok()) return {};
    absl::StatusOr<ValueType> type = ConsumeValueType(&rest_);
    if (type.ok()) return *std::move(type);
    Fail(type.status().message());
    return {};
  }

  const absl::string_view text_;
  absl::string_view rest_;
  std::string error_;
};

}  // namespace

std::string ToString(const OpSignature& signature) {
  return absl::StrCat(signature.op, "(",
                      absl::StrJoin(signature.operands, ", ",
                                    [](std::string* out, const ValueType& type) { out->append(ToString(type)); }),
                      ") -> ", ToString(signature.result));
}

absl::StatusOr<OpSignature> ParseOpSignature(absl::string_view text) { return SignatureParser(text).Parse(); }

}  // namespace tosaic
