// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command: runs a program to its end, for minutes or hours, on the standard output and error of this process.
#ifndef TOSAIC_WORKERS_COMMAND_H_
#define TOSAIC_WORKERS_COMMAND_H_

#include <atomic>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tosaic {

// The exit status of a child that could not execute its program, as in a shell.
inline constexpr int kNotExecuted = 127;

struct Command {
  std::vector<std::string> arguments;                            // begin with the program's path
  std::vector<std::pair<std::string, std::string>> environment;  // in addition to this process's own
  std::string log;     // if not empty, a file for its standard output and error
  double seconds = 0;  // after so many it is stopped, as by `stop`; 0: never
};

// Returns the exit status: 128 + n if signal n ended it, kNotExecuted if it cannot be executed. Once `stop` is set
// (null: never), the program gets a SIGTERM and as much time as it needs to end. If this process dies, the program is
// killed, because no other process waits for it.
int RunCommand(const Command& command, const std::atomic<bool>* stop);

// In a child that is about to execute a program of others: begins a process group, so that what the program starts can
// be ended with it, and hears the signals that this process may ignore.
void BeginGroup();

// The directories in PATH.
std::vector<std::string> SearchedDirectories();

// The path of the program that this process runs; empty if it cannot be read.
std::filesystem::path OwnProgram();

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_COMMAND_H_
