// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A toolchain for any implementation of TOSA behind an adapter, a program that talks lines of JSON (docs/adapters.md).
// It decides on programs and runs them. It chooses its own passes, so all routes are the same for it.
#ifndef TOSAIC_TOOLCHAIN_ADAPTER_ADAPTER_TOOLCHAIN_H_
#define TOSAIC_TOOLCHAIN_ADAPTER_ADAPTER_TOOLCHAIN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

// Whether a text has the form "adapter:COMMAND", and the command in it.
bool NamesAdapter(absl::string_view text);
absl::string_view AdapterCommand(absl::string_view named);

// `named`: "adapter:COMMAND". Errors: the adapter does not start, or its greeting is wrong.
absl::StatusOr<std::unique_ptr<Toolchain>> CreateAdapterToolchain(absl::string_view named, const WorkerLimits& limits);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_ADAPTER_ADAPTER_TOOLCHAIN_H_
