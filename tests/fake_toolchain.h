// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A toolchain without MLIR that adds 32-bit integers correctly, and knows no other op; and one that does so until it is
// told to misbehave. What the campaign makes of misbehaviour is tested with them, never what MLIR does.
#ifndef TOSAIC_TESTS_FAKE_TOOLCHAIN_H_
#define TOSAIC_TESTS_FAKE_TOOLCHAIN_H_

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/program.h"
#include "toolchain/progress.h"
#include "toolchain/toolchain.h"

namespace tosaic {

class AdderToolchain : public Toolchain {
 public:
  explicit AdderToolchain(const Capabilities& capabilities = {}, ToolchainDescription description = Description())
      : Toolchain(std::move(description), capabilities) {}

  Observation Observe(const Case& test_case) override {
    EnterStage(Stage::kExecute);
    Observation observation;
    for (const Run& run : test_case.runs) {
      const std::vector<ValueRef>& operands = test_case.program.ops[0].operands;
      // An op of one operand, which is added to itself, is for the misbehaving.
      const Tensor& first = Value(test_case, run, operands.front());
      observation.runs.push_back({{{Sum(first, Value(test_case, run, operands.back())), {}}}});
    }
    return observation;
  }

 protected:
  static Tensor Sum(const Tensor& a, const Tensor& b) {
    std::vector<int64_t> sizes = a.sizes();
    for (size_t d = 0; d < sizes.size(); ++d) sizes[d] = std::max(sizes[d], b.sizes()[d]);
    Tensor sum(ElementType::kI32, sizes);
    for (size_t i = 0; i < sum.element_count(); ++i) {
      sum.SetBits(
          i, (a.Bits(BroadcastIndex(i, sizes, a.sizes())) + b.Bits(BroadcastIndex(i, sizes, b.sizes()))) & 0xffffffff);
    }
    return sum;
  }

 private:
  // It has every route, and no passes on any.
  static ToolchainDescription Description() {
    ToolchainDescription adder{.name = "adder", .version = "1", .only_pipeline = "builtin.module()"};
    for (const Route& route : AllRoutes()) adder.routes.push_back(&route);
    return adder;
  }
  static const Tensor& Value(const Case& test_case, const Run& run, ValueRef ref) {
    return ref.kind == ValueRef::Kind::kArgument ? run[ref.index] : test_case.program.constants[ref.index];
  }
};

// Observes what the honest one does, then lets `misbehave` change it, or not return at all.
class MisbehavingToolchain : public AdderToolchain {
 public:
  using Misbehaviour = std::function<void(const Case&, Observation*)>;
  explicit MisbehavingToolchain(Misbehaviour misbehave, const Capabilities& capabilities = {})
      : AdderToolchain(capabilities), misbehave_(std::move(misbehave)) {}

  Observation Observe(const Case& test_case) override {
    Observation observation = AdderToolchain::Observe(test_case);
    misbehave_(test_case, &observation);
    return observation;
  }

 private:
  Misbehaviour misbehave_;
};

// Takes every text, or answers all of them with one error.
class TakesText : public Lowering {
 public:
  explicit TakesText(absl::Status status) : status_(std::move(status)) {}
  Observation ObserveThrough(const Case&, absl::string_view) override { return {}; }
  absl::StatusOr<std::string> LowerText(absl::string_view mlir, absl::string_view, bool) override {
    if (!status_.ok()) return status_;
    return std::string(mlir);
  }

 private:
  const absl::Status status_;
};

}  // namespace tosaic

#endif  // TOSAIC_TESTS_FAKE_TOOLCHAIN_H_
