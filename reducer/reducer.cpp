// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reducer/reducer.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "model/digest.h"
#include "model/json.h"
#include "reducer/reduction_steps.h"

namespace tosaic {
namespace {

// A digest of the case's text, which has everything that a replay needs.
uint64_t Fingerprint(const Case& test_case) { return Digest(CaseToText(test_case)); }

// Tries candidates with the predicate and keeps the last interesting one.
class Session : public Proposals {
 public:
  Session(Case original, Interesting interesting, const ReductionOptions& options)
      : current_(std::move(original)), interesting_(interesting), options_(options) {}

  const Case& current() const override { return current_; }

  bool Try(Case candidate) override {
    if (exhausted_ || !IsAdmissible(candidate, current_)) return false;
    if (tried_.contains(Fingerprint(candidate)) || !Ask(candidate)) return false;
    current_ = std::move(candidate);
    ++accepted_;
    Keep();
    return true;
  }

  // Asks the predicate, unless the limit is reached.
  bool Ask(const Case& test_case) {
    const bool stopped = attempts_ > 0 && options_.stop && options_.stop();
    exhausted_ = exhausted_ || stopped || attempts_ >= options_.max_attempts;
    if (exhausted_) return false;
    ++attempts_;
    tried_.insert(Fingerprint(test_case));
    return interesting_(test_case);
  }

  void Keep() const {
    if (options_.on_best) options_.on_best(current_);
  }

  bool exhausted() const { return exhausted_; }
  int attempts() const { return attempts_; }
  int accepted() const { return accepted_; }

 private:
  Case current_;
  Interesting interesting_;
  const ReductionOptions& options_;
  bool exhausted_ = false;
  int attempts_ = 0;
  int accepted_ = 0;
  absl::flat_hash_set<uint64_t> tried_;
};

void RunTable(Session& session, const ReductionOptions& options) {
  int accepted_before_pass = 0;
  do {
    accepted_before_pass = session.accepted();
    for (const ReductionStep& step : ReductionSteps()) {
      const int accepted_before_step = session.accepted();
      int accepted_before_round = 0;
      do {
        accepted_before_round = session.accepted();
        step.propose(session);
      } while (session.accepted() > accepted_before_round && !session.exhausted());
      if (session.accepted() > accepted_before_step && options.on_step) options.on_step(step.name, step.description);
      if (session.exhausted()) return;
    }
  } while (session.accepted() > accepted_before_pass);
}

}  // namespace

Reduction Reduce(const Case& original, Interesting interesting, const ReductionOptions& options) {
  constexpr absl::string_view kMark = " reduced";
  Session session(original, interesting, options);
  Reduction reduction;
  if (session.Ask(original)) {
    session.Keep();
    RunTable(session, options);
    reduction.reduced = session.current();
    if (!absl::EndsWith(original.origin, kMark)) absl::StrAppend(&reduction.reduced.origin, kMark);
  } else {
    reduction.status = Reduction::Status::kNotInteresting;
    reduction.reduced = original;
  }
  if (session.exhausted()) reduction.status = Reduction::Status::kStopped;
  reduction.attempts = session.attempts();
  reduction.accepted = session.accepted();
  return reduction;
}

}  // namespace tosaic
