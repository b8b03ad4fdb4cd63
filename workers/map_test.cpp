// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Typed tasks, and one in a fresh process.
#include "workers/map.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace tosaic {
namespace {

struct Square {
  int64_t of = 0;
  std::optional<std::string> text;
};
void Fields(Visitor& v, Square& square) {
  v("of", square.of);
  v("text", square.text);
}

[[noreturn]] void DieOf(int number) {
  signal(number, SIG_DFL);
  raise(number);
  _exit(99);
}

TEST(Map, HandsValuesOverAndDeathsAsValues) {
  const std::vector<std::string> inputs = {"1", "22", "333"};
  std::map<std::string, WorkerResult<Square>> results;
  const absl::Status status = Map<std::string, Square>(
      {.jobs = 2}, nullptr, inputs,
      [](const std::string& input) -> Square {
        if (input == "22") DieOf(SIGSEGV);
        return {static_cast<int64_t>(input.size()), input};
      },
      [&](const std::string& input, WorkerResult<Square> result) { results[input] = std::move(result); });
  ASSERT_TRUE(status.ok()) << status;
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results["333"].answer.of, 3);
  EXPECT_EQ(results["333"].answer.text, "333");
  EXPECT_FALSE(results["333"].death);
  ASSERT_TRUE(results["22"].death);
  EXPECT_EQ(results["22"].death->how, Death::How::kSignal);
  EXPECT_EQ(results["22"].death->status, SIGSEGV);
}

// Reads only even numbers.
struct Even {
  int64_t value = 0;
};
void Fields(Visitor& v, Even& even) {
  v("value", even.value);
  if (v.IsReading() && even.value % 2 != 0) v.Fail("an even number is needed here", "value");
}

TEST(Map, FailsWhereAnAnswerCannotBeRead) {
  std::vector<int> done;
  const absl::Status status = Map<int, Even>(
      {}, nullptr, {2, 3, 4}, [](const int& number) { return Even{number}; },
      [&](const int& number, WorkerResult<Even>) { done.push_back(number); });
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << status;
  EXPECT_EQ(done, (std::vector<int>{2, 4}));
}

TEST(InFreshProcess, AnswersOrDies) {
  const pid_t parent = getpid();
  const auto child = InFreshProcess<int64_t>({}, [] { return static_cast<int64_t>(getpid()); });
  ASSERT_TRUE(child.ok()) << child.status();
  EXPECT_NE(child->answer, parent);
  const auto dead = InFreshProcess<int64_t>({}, []() -> int64_t { DieOf(SIGABRT); });
  ASSERT_TRUE(dead.ok()) << dead.status();
  ASSERT_TRUE(dead->death);
  EXPECT_EQ(dead->death->status, SIGABRT);
}

TEST(InFreshProcess, SaysThatItWasStopped) {
  const std::atomic<bool> stop = true;
  const auto never = InFreshProcess<int64_t>({}, [] { return int64_t{1}; }, &stop);
  EXPECT_EQ(never.status().code(), absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace tosaic
