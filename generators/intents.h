// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The intent of a case. It is decided first, and drawn by the options' weights.
#ifndef TOSAIC_GENERATORS_INTENTS_H_
#define TOSAIC_GENERATORS_INTENTS_H_

#include "absl/strings/string_view.h"
#include "generators/choice_source.h"
#include "generators/generator_options.h"
#include "generators/illegality.h"
#include "generators/typed_op.h"

namespace tosaic {

// The names of intents other than illegalities.
inline constexpr absl::string_view kPlain = "plain";
inline constexpr absl::string_view kBeyondSpec = "beyond-spec";
inline constexpr absl::string_view kUndefinedData = "undefined-data";
inline constexpr absl::string_view kNonconstantSpecial = "nonconstant-special";
inline constexpr absl::string_view kMisfitExtents = "misfit-extents";
inline constexpr absl::string_view kChain = "chain";               // chains.h
inline constexpr absl::string_view kGraph = "graph";               // graph.h
inline constexpr absl::string_view kIdentity = "identity";         // identities.h
inline constexpr absl::string_view kTrap = "trapping-constants";   // graph.h
inline constexpr absl::string_view kBlockScaled = "block-scaled";  // blocks.h

struct Intent {
  absl::string_view name = kPlain;
  TypedOp typed_op;
  const Illegality* illegality = nullptr;
  bool is_static = false;  // all types, of what the validator is to accept but for one rule
  bool Is(absl::string_view other) const { return name == other; }
  // Whether it has no op of its own, because it has several ops or one around an identity.
  bool IsComposed() const { return Is(kChain) || Is(kGraph) || Is(kIdentity) || Is(kTrap) || Is(kBlockScaled); }
};

struct IntentKind;

// Draws a kind of intents by the options' weights, then intents of that kind, or a plain one if the options leave no op
// for it.
const IntentKind& DrawKind(ChoiceSource& choices, const GeneratorOptions& options);
Intent DrawIntent(ChoiceSource& choices, const GeneratorOptions& options, const IntentKind& kind);

// One op that is legal. `is_static`: the intent's. REQUIRES: CheckOptions(options).ok().
Intent DrawPlainIntent(ChoiceSource& choices, const GeneratorOptions& options, bool is_static);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_INTENTS_H_
