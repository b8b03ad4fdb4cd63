// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the real `tosaic` as a user does. For tests only.
#ifndef TOSAIC_TESTS_RUN_TOSAIC_H_
#define TOSAIC_TESTS_RUN_TOSAIC_H_

#include <fcntl.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "tests/temporary_directory.h"

namespace tosaic {

// A case that agrees.
inline const std::string kGoodCase = absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/spec/rfc.case.add-1d-all-dynamic.json");
inline const std::string kKnownFlag = absl::StrCat("--known=", TOSAIC_SOURCE_DIR, "/corpus/known-divergences.json");
inline const std::string kPluginFlag = absl::StrCat("--load-pass-plugin=", TOSAIC_PLUGIN);

// The JSON in the text; an empty object, and a failure of the test, if there is none.
inline Json Parsed(const std::string& text) {
  absl::StatusOr<Json> json = ParseJson(text);
  EXPECT_TRUE(json.ok()) << json.status() << text;
  return json.ok() ? *json : Json::object();
}

struct Ran {
  int status = -1;  // exit status; 128 + n for signal n
  std::string out;
  std::string err;
};

// A tosaic at work. Its standard output and error lie in files below `directory`.
class Running {
 public:
  // `prepare` is called in its process before it starts.
  Running(const TemporaryDirectory& directory, std::vector<std::string> arguments, void (*prepare)() = nullptr)
      : out_(directory / "stdout"), err_(directory / "stderr") {
    arguments.insert(arguments.begin(), TOSAIC_BINARY);
    pid_ = fork();
    if (pid_ != 0) return;
    const int out = open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const int err = open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    // A script that runs the tests in the background has them ignore what these tests send.
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_DFL);
    // What FixAddresses restarts the program for, which takes as long as its start.
    personality(ADDR_NO_RANDOMIZE);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    if (prepare != nullptr) prepare();
    execv(TOSAIC_BINARY, argv.data());
    _exit(126);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  pid_t pid() const { return pid_; }
  bool Ended() const {
    siginfo_t info = {};
    return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
  }
  Ran Wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), Slurp(out_), Slurp(err_)};
  }

 private:
  std::string out_, err_;
  pid_t pid_ = 0;
};

inline Ran RunTosaic(std::vector<std::string> arguments, void (*prepare)() = nullptr) {
  TemporaryDirectory directory;
  return Running(directory, std::move(arguments), prepare).Wait();
}

inline Json SummaryIn(const std::string& work_directory) { return Parsed(Slurp(work_directory + "/summary.json")); }

inline size_t LinesOf(const std::string& file) {
  const std::string text = Slurp(file);
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

inline void WaitForLines(const Running& running, const std::string& file, size_t lines) {
  while (!running.Ended() && LinesOf(file) < lines) usleep(2000);
}

// Runs a tosaic and sends it the signal (SIGKILL, or one that it ends cleanly at) when the journal has that many
// lines. One that ended by itself before, for the machine may be busy with other things, is run anew from nothing:
// `written` is removed.
inline Ran StoppedInTheMidst(const std::vector<std::string>& arguments, const std::string& written,
                             const std::string& journal, size_t lines, int signal) {
  for (;;) {
    TemporaryDirectory output;
    Running running(output, arguments);
    WaitForLines(running, journal, lines);
    kill(running.pid(), signal);
    Ran ran = running.Wait();
    if (ran.status == (signal == SIGKILL ? 128 + SIGKILL : 4)) return ran;
    std::filesystem::remove_all(written);
  }
}

}  // namespace tosaic

#endif  // TOSAIC_TESTS_RUN_TOSAIC_H_
