// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PreparedCases: how far cases have come through the tools, in a directory that all copies of a process share.
#ifndef TOSAIC_TOOLCHAIN_EXTERNAL_PREPARED_CASES_H_
#define TOSAIC_TOOLCHAIN_EXTERNAL_PREPARED_CASES_H_

#include <sys/types.h>

#include <string>

#include "model/dialect.h"
#include "model/program.h"
#include "toolchain/external/tool_walk.h"

namespace tosaic {

class PreparedCases {
 public:
  explicit PreparedCases(Dialect dialect);
  ~PreparedCases();  // of the process that made it: all are gone
  PreparedCases(const PreparedCases&) = delete;
  PreparedCases& operator=(const PreparedCases&) = delete;

  void Keep(const ToolWalk& walk) const;
  // Takes what was kept of walk->test_case, once: where it ended or its program, and the observation so far. False if
  // there is nothing.
  bool Take(ToolWalk* walk) const;

 private:
  std::string FileOf(const Case& test_case) const;

  const Dialect dialect_;
  std::string directory_;  // empty: there is none, and nothing is kept
  pid_t owner_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXTERNAL_PREPARED_CASES_H_
