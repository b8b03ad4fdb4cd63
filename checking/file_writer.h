// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FileWriter: the only way in which Tosaic writes whole files, and OpenFile, the owner of one that grows.
#ifndef TOSAIC_CHECKING_FILE_WRITER_H_
#define TOSAIC_CHECKING_FILE_WRITER_H_

#include <cstdio>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tosaic {

// Writes a file piece by piece beside the old one, and replaces that at the end. A file that is not committed is
// removed. Devices and pipes are written in place.
class FileWriter {
 public:
  static absl::StatusOr<FileWriter> Create(const std::string& path);
  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&&) = delete;
  ~FileWriter();

  absl::Status Append(absl::string_view content);
  absl::Status Commit();

 private:
  FileWriter() = default;
  absl::Status Flush();
  std::string path_, target_;  // equal of a device
  int fd_ = -1;                // closed: committed, or moved away
  std::string buffer_;
};

// Closes a file of which nothing is left to be written: each writer flushes, and says whether that went well.
struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

// The error of a file that cannot be written, by errno: kResourceExhausted if there is no room for it (a full disk, a
// limit for files), else kUnavailable. `more` is added to its line.
absl::Status WriteError(const std::string& path, int why, absl::string_view more = "");

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_FILE_WRITER_H_
