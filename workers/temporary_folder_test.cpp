// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/temporary_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "gtest/gtest.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

class TemporaryFolderTest : public testing::Test {
 protected:
  TemporaryFolderTest() { setenv("TMPDIR", directory_.path().c_str(), 1); }
  ~TemporaryFolderTest() override { unsetenv("TMPDIR"); }
  TemporaryDirectory directory_;

  std::ptrdiff_t Count() const {
    return std::distance(fs::directory_iterator(directory_.path()), fs::directory_iterator());
  }
};

TEST_F(TemporaryFolderTest, GoesWithItsObject) {
  {
    const absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Create("test");
    ASSERT_TRUE(folder.ok()) << folder.status();
    Spill(folder->path() + "/file", "content");
    EXPECT_EQ(Count(), 1);
  }
  EXPECT_EQ(Count(), 0);
}

TEST_F(TemporaryFolderTest, AMissingPlaceIsAnError) {
  setenv("TMPDIR", (directory_ / "missing").c_str(), 1);
  const absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Create("test");
  EXPECT_EQ(folder.status().message(),
            "TMPDIR: cannot create a temporary folder in " + (directory_ / "missing") + ": No such file or directory");
}

TEST_F(TemporaryFolderTest, AnEmptyNameOfThePlaceIsNone) {
  setenv("TMPDIR", "", 1);
  const absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Create("test");
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_EQ(folder->path().substr(0, 5), "/tmp/");
}

// As if it had been there for an hour.
void MakeOld(const std::string& path) {
  const timespec times[2] = {{time(nullptr) - 3600, 0}, {time(nullptr) - 3600, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

TEST_F(TemporaryFolderTest, OfAKilledProcessGoesWithTheNextOne) {
  const pid_t child = fork();
  if (child == 0) {
    const absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Create("test");
    raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  ASSERT_EQ(Count(), 1);
  MakeOld(fs::directory_iterator(directory_.path())->path());
  const absl::StatusOr<TemporaryFolder> next = TemporaryFolder::Create("test");
  ASSERT_TRUE(next.ok());
  EXPECT_EQ(Count(), 1);
  EXPECT_TRUE(fs::exists(next->path()));
}

TEST_F(TemporaryFolderTest, OfALiveProcessStays) {
  const absl::StatusOr<TemporaryFolder> first = TemporaryFolder::Create("test");
  ASSERT_TRUE(first.ok());
  MakeOld(first->path());
  const absl::StatusOr<TemporaryFolder> second = TemporaryFolder::Create("test");
  EXPECT_TRUE(fs::exists(first->path()));
}

}  // namespace
}  // namespace tosaic
