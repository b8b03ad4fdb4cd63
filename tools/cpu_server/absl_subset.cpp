// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Debian has Abseil's headers for every CPU and its code for few: this is the code that the server's sources call, by
// the standard library. Its signatures are those of the headers; a function that is missing here does not link.
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "absl/base/internal/throw_delegate.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace absl {
ABSL_NAMESPACE_BEGIN

namespace base_internal {
void ThrowStdOutOfRange(const char* message) { throw std::out_of_range(message); }
}  // namespace base_internal

namespace ascii_internal {
// The one question asked is whether a character is white space (0x08).
const unsigned char kPropertyBits[256] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 0, 0, 0,
                                          0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8};
}  // namespace ascii_internal

namespace numbers_internal {
namespace {

template <typename Number>
char* Write(Number number, char* buffer) {
  char* end = std::to_chars(buffer, buffer + kFastToBufferSize, number).ptr;
  *end = '\0';
  return end;
}

template <typename Number>
bool Parse(absl::string_view text, Number* number, int base) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  if (base == 16 && text.size() > 2 && text[0] == '0' && (text[1] | 32) == 'x') text.remove_prefix(2);
  const char* end = text.data() + text.size();
  const std::from_chars_result read = std::from_chars(text.data(), end, *number, base);
  return read.ec == std::errc() && read.ptr == end && !text.empty();
}

}  // namespace

char* FastIntToBuffer(int32_t number, char* buffer) { return Write(number, buffer); }
char* FastIntToBuffer(uint32_t number, char* buffer) { return Write(number, buffer); }
char* FastIntToBuffer(int64_t number, char* buffer) { return Write(number, buffer); }
char* FastIntToBuffer(uint64_t number, char* buffer) { return Write(number, buffer); }
size_t SixDigitsToBuffer(double number, char* buffer) {
  return static_cast<size_t>(std::snprintf(buffer, kSixDigitsToBufferSize, "%g", number));
}
bool safe_strto32_base(absl::string_view text, int32_t* value, int base) { return Parse(text, value, base); }
bool safe_strto64_base(absl::string_view text, int64_t* value, int base) { return Parse(text, value, base); }
bool safe_strtou32_base(absl::string_view text, uint32_t* value, int base) { return Parse(text, value, base); }
bool safe_strtou64_base(absl::string_view text, uint64_t* value, int base) { return Parse(text, value, base); }
}  // namespace numbers_internal

string_view::size_type string_view::find(char wanted, size_type at) const noexcept {
  while (at < size() && (*this)[at] != wanted) ++at;
  return at < size() ? at : npos;
}

string_view::size_type string_view::find_first_not_of(string_view set, size_type at) const noexcept {
  while (at < size() && set.find((*this)[at]) != npos) ++at;
  return at < size() ? at : npos;
}

string_view ByChar::Find(string_view text, size_t at) const {
  const size_t found = text.find(c_, at);
  return found == string_view::npos ? string_view(text.data() + text.size(), 0) : text.substr(found, 1);
}

AlphaNum::AlphaNum(Hex hex) {
  char* begin = digits_ + sizeof(digits_);
  uint64_t left = hex.value;
  for (size_t written = 0; left != 0 || written < hex.width; ++written, left >>= 4) {
    *--begin = left != 0 || written == 0 ? "0123456789abcdef"[left & 15] : hex.fill;
  }
  piece_ = string_view(begin, static_cast<size_t>(digits_ + sizeof(digits_) - begin));
}

namespace strings_internal {
void AppendPieces(std::string* out, std::initializer_list<string_view> pieces) {
  for (const string_view piece : pieces) out->append(piece.data(), piece.size());
}
std::string CatPieces(std::initializer_list<string_view> pieces) {
  std::string out;
  AppendPieces(&out, pieces);
  return out;
}
}  // namespace strings_internal

std::string StrCat(const AlphaNum& a, const AlphaNum& b) { return strings_internal::CatPieces({a.Piece(), b.Piece()}); }
std::string StrCat(const AlphaNum& a, const AlphaNum& b, const AlphaNum& c) {
  return strings_internal::CatPieces({a.Piece(), b.Piece(), c.Piece()});
}
std::string StrCat(const AlphaNum& a, const AlphaNum& b, const AlphaNum& c, const AlphaNum& d) {
  return strings_internal::CatPieces({a.Piece(), b.Piece(), c.Piece(), d.Piece()});
}
void StrAppend(std::string* out, const AlphaNum& a) { strings_internal::AppendPieces(out, {a.Piece()}); }
void StrAppend(std::string* out, const AlphaNum& a, const AlphaNum& b) {
  strings_internal::AppendPieces(out, {a.Piece(), b.Piece()});
}
void StrAppend(std::string* out, const AlphaNum& a, const AlphaNum& b, const AlphaNum& c) {
  strings_internal::AppendPieces(out, {a.Piece(), b.Piece(), c.Piece()});
}
void StrAppend(std::string* out, const AlphaNum& a, const AlphaNum& b, const AlphaNum& c, const AlphaNum& d) {
  strings_internal::AppendPieces(out, {a.Piece(), b.Piece(), c.Piece(), d.Piece()});
}

// A status is a code, or a message whose references the headers count. Messages are rare here and stay.
Status::Status(StatusCode code, string_view message) : rep_(CodeToInlinedRep(code)) {
  if (code == StatusCode::kOk || message.empty()) return;
  rep_ = PointerToRep(new status_internal::StatusRep(code, message, nullptr));
}
void Status::UnrefNonInlined(uintptr_t) {}
void Cord::DestroyCordSlow() { std::abort(); }  // of payloads, which no status here has
Status InvalidArgumentError(string_view message) { return Status(StatusCode::kInvalidArgument, message); }
Status InternalError(string_view message) { return Status(StatusCode::kInternal, message); }

namespace internal_statusor {
void Helper::HandleInvalidStatusCtorArg(Status* status) { *status = InternalError("a status without an error"); }
void Helper::Crash(const Status&) { std::abort(); }
}  // namespace internal_statusor

ABSL_NAMESPACE_END
}  // namespace absl
