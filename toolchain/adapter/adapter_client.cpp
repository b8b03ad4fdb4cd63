// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/adapter/adapter_client.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "codec/codec.h"
#include "codec/status.h"

namespace tosaic {
namespace {

constexpr int kStartSeconds = 60;  // at most

// The fault in an answer about this program; empty if there is none.
std::string FaultIn(const AdapterAnswer& answer, const AdapterProgram& program) {
  if (answer.runs.size() > program.runs.size()) return "it answers more runs than it was asked for";
  if (answer.outcome == AdapterOutcome::kCompleted && answer.runs.size() < program.runs.size()) {
    return absl::StrCat("it completed ", answer.runs.size(), " of ", program.runs.size(), " runs");
  }
  if (answer.outcome == AdapterOutcome::kStopped && answer.runs.size() == program.runs.size()) {
    return "no run is left that could have been stopped";
  }
  return "";
}

}  // namespace

absl::StatusOr<AdapterGreeting> AdapterClient::Greet() {
  service_.reset();
  TOSAIC_ASSIGN_OR_RETURN(
      service_, ServiceProcess::Start({"/bin/sh", "-c", absl::StrCat("exec ", command_)}, /*is_foreign=*/true));
  const auto error = [&](absl::string_view why) {
    const absl::Status status =
        WithLastWords(absl::InvalidArgumentError(absl::StrCat("the adapter '", command_, "' cannot be used: ", why)));
    service_.reset();
    return status;
  };
  const absl::StatusOr<std::string> line = service_->AnswerLine(kStartSeconds);
  if (absl::IsDeadlineExceeded(line.status())) return error(absl::StrCat("no greeting in ", kStartSeconds, " s"));
  if (!line.ok()) return error(absl::StrCat("no greeting, but ", line.status().message()));
  const absl::StatusOr<AdapterGreeting> greeting = FromText<AdapterGreeting>(*line);
  if (!greeting.ok()) return error(absl::StrCat("its greeting: ", greeting.status().message()));
  if (greeting->protocol != kAdapterProtocol) {
    return error(absl::StrCat("it speaks protocol ", greeting->protocol, ", not ", kAdapterProtocol));
  }
  return greeting;
}

absl::Status AdapterClient::WithLastWords(const absl::Status& status) const {
  std::string words = service_->LastWords();
  absl::StripAsciiWhitespace(&words);
  return words.empty() ? status : absl::Status(status.code(), absl::StrCat(status.message(), "; it printed: ", words));
}

// The reply to the request of last_id_, past lines of progress.
absl::StatusOr<AdapterReply> AdapterClient::ReadReply(int wall_seconds) {
  while (true) {
    TOSAIC_ASSIGN_OR_RETURN(const std::string line, service_->AnswerLine(wall_seconds));
    absl::StatusOr<AdapterReply> reply = FromText<AdapterReply>(line);
    if (!reply.ok()) return absl::InternalError(absl::StrCat("its reply: ", reply.status().message()));
    if (reply->id != last_id_) {
      return absl::InternalError(absl::StrCat("it replies to request ", reply->id, ", not to ", last_id_));
    }
    if (!reply->stage) return reply;
    stage_ = *reply->stage;
  }
}

// Whether the reply was the last word on its request. What comes later, whenever that is, comes before the reply to a
// request without programs. One that leaves instead has said nothing wrong.
absl::Status AdapterClient::EndReply(int wall_seconds) {
  if (service_->HasMore()) return absl::InternalError("it goes on after its reply");
  (void)service_->AskLine(ToLine(AdapterRequest{++last_id_, {}}), wall_seconds);
  const absl::StatusOr<AdapterReply> reply = ReadReply(wall_seconds);
  if (absl::IsInternal(reply.status())) {
    return absl::InternalError(absl::StrCat("it goes on after its reply: ", reply.status().message()));
  }
  if (absl::IsDeadlineExceeded(reply.status())) {
    return absl::InternalError("it does not answer a request without programs");
  }
  if (!reply.ok()) service_.reset();
  return absl::OkStatus();
}

absl::StatusOr<std::vector<AdapterAnswer>> AdapterClient::TryToAsk(absl::Span<const AdapterProgram> programs,
                                                                   int wall_seconds) {
  stage_ = Stage::kLower;
  const auto ask = [&]() -> absl::StatusOr<std::vector<AdapterAnswer>> {
    if (service_->HasMore()) return absl::InternalError("it spoke before it was asked, or has ended");
    const bool asked =
        service_->AskLine(ToLine(AdapterRequest{++last_id_, {programs.begin(), programs.end()}}), wall_seconds);
    absl::StatusOr<AdapterReply> reply = ReadReply(asked ? wall_seconds : 1);
    if (!reply.ok()) return reply.status();
    if (reply->answers.size() != programs.size()) {
      return absl::InternalError(
          absl::StrCat("it gives ", reply->answers.size(), " answers about ", programs.size(), " programs"));
    }
    for (size_t i = 0; i < programs.size(); ++i) {
      if (const std::string fault = FaultIn(reply->answers[i], programs[i]); !fault.empty()) {
        return absl::InternalError(absl::StrCat("its answer: ", fault));
      }
    }
    TOSAIC_RETURN_IF_ERROR(EndReply(wall_seconds));
    return std::move(reply->answers);
  };
  absl::StatusOr<std::vector<AdapterAnswer>> answers = ask();
  if (answers.ok()) return answers;
  const absl::Status status = WithLastWords(answers.status());
  service_.reset();
  return status;
}

AdapterClient::Done AdapterClient::AskAlone(const AdapterProgram& program) {
  // A running adapter may suffer from earlier requests.
  if (IsThere()) {
    absl::StatusOr<std::vector<AdapterAnswer>> answers = TryToAsk({&program, 1}, limits_.cpu_seconds);
    if (answers.ok()) return {std::move(answers->front()), std::nullopt};
  }
  absl::Status status = Greet().status();
  if (status.ok()) {
    absl::StatusOr<std::vector<AdapterAnswer>> answers = TryToAsk({&program, 1}, limits_.cpu_seconds);
    if (answers.ok()) return {std::move(answers->front()), std::nullopt};
    status = answers.status();
  }
  Observation end;
  end.stage = stage_;
  end.outcome = absl::IsDeadlineExceeded(status) ? Outcome::kDeadline : Outcome::kToolFailure;
  absl::string_view message = status.message();
  if (absl::ConsumePrefix(&message, "signal ")) {
    end.outcome = Outcome::kSignal;
    (void)absl::SimpleAtoi(message.substr(0, message.find_first_not_of("0123456789")), &end.signal);
  }
  end.diagnostics = {absl::StrCat("the adapter: ", status.message())};
  return {{}, std::move(end)};
}

std::vector<AdapterClient::Done> AdapterClient::Ask(absl::Span<const AdapterProgram> programs) {
  if (programs.empty()) return {};
  if (programs.size() == 1) return {AskAlone(programs.front())};
  std::vector<Done> done;
  if (IsThere() || Greet().ok()) {
    absl::StatusOr<std::vector<AdapterAnswer>> answers = TryToAsk(programs, limits_.wall_seconds);
    if (answers.ok()) {
      for (AdapterAnswer& answer : *answers) done.push_back({std::move(answer), std::nullopt});
      return done;
    }
  }
  done = Ask(programs.first(programs.size() / 2));
  for (Done& answer : Ask(programs.subspan(programs.size() / 2))) done.push_back(std::move(answer));
  return done;
}

}  // namespace tosaic
