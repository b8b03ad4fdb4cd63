// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OnPipeline: a toolchain whose pipeline for every case is one and the same, whatever the case's route says.
#ifndef TOSAIC_TOOLCHAIN_ON_PIPELINE_H_
#define TOSAIC_TOOLCHAIN_ON_PIPELINE_H_

#include <string>
#include <utility>

#include "toolchain/toolchain.h"

namespace tosaic {

class OnPipeline : public Toolchain {
 public:
  // REQUIRES: `toolchain` outlives it, and lowers by pipelines.
  OnPipeline(Toolchain& toolchain, std::string pipeline)
      : Toolchain(toolchain.description()), toolchain_(toolchain), pipeline_(std::move(pipeline)) {}
  Observation Observe(const Case& test_case) override {
    return toolchain_.lowering()->ObserveThrough(test_case, pipeline_);
  }

 private:
  Toolchain& toolchain_;
  const std::string pipeline_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_ON_PIPELINE_H_
