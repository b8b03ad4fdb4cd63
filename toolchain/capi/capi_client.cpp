// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/capi_client.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "codec/codec.h"
#include "codec/status.h"

namespace tosaic {
namespace {

constexpr int kLoadingSeconds = 30;  // at most
constexpr int kMoreSeconds = 10;     // than the worker takes by its own limits

}  // namespace

absl::StatusOr<std::string> CapiClient::Greet() {
  TOSAIC_ASSIGN_OR_RETURN(
      std::unique_ptr<ServiceProcess> service,
      ServiceProcess::Start({settings_.program, settings_.library, absl::StrCat(settings_.limits.cpu_seconds),
                             absl::StrCat(settings_.limits.wall_seconds)}));
  const auto error = [&](absl::string_view why) {
    return absl::InvalidArgumentError(absl::StrCat("the library ", settings_.library, " cannot be used: ", why));
  };
  const int seconds = std::min(kLoadingSeconds, settings_.limits.wall_seconds);
  const absl::StatusOr<std::string> text = service->Answer(seconds);
  if (absl::IsDeadlineExceeded(text.status())) return error(absl::StrCat("it does not load in ", seconds, " s"));
  if (!text.ok()) return error(absl::StrCat("loading it ends in ", text.status().message()));
  const absl::StatusOr<CapiGreeting> greeting = FromText<CapiGreeting>(*text);
  if (!greeting.ok()) return error("its worker does not greet");
  if (const CapiGreeting own = OwnGreeting(); greeting->protocol != own.protocol) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the worker ", settings_.program, " is of another build than this tosaic: of ",
        greeting->build.empty() ? "an older revision" : greeting->build, ", not ", own.build, "; build both anew"));
  }
  if (!greeting->error.empty()) return error(greeting->error);
  service_ = std::move(service);
  return greeting->version;
}

absl::StatusOr<std::vector<CapiClient::Done>> CapiClient::AskTogether(absl::Span<const CapiJob> jobs,
                                                                      CapiReply* death) {
  if (service_ != nullptr && !service_->is_own()) service_.reset();
  if (service_ == nullptr) {
    TOSAIC_RETURN_IF_ERROR(Greet().status());
  }
  const bool asked = service_->Ask(ToLine(CapiRequest{{jobs.begin(), jobs.end()}}));
  absl::StatusOr<std::string> text = service_->Answer(settings_.limits.wall_seconds + kMoreSeconds);
  if (!asked || !text.ok()) {
    service_.reset();
    return absl::UnavailableError(absl::StrCat("the worker has ended: ", text.status().message()));
  }
  const size_t end = text->find('\n');
  absl::StatusOr<CapiReply> reply = FromText<CapiReply>(absl::string_view(*text).substr(0, end));
  if (!reply.ok() || (!reply->answers.empty() && reply->answers.size() != jobs.size())) {
    service_.reset();
    return absl::InternalError("the worker's answer is malformed");
  }
  const auto object = std::make_shared<const std::string>(end == std::string::npos ? "" : text->substr(end + 1));
  std::vector<Done> done;
  for (CapiAnswer& answer : reply->answers) done.push_back({std::move(answer), object, ""});
  *death = *std::move(reply);
  return done;
}

CapiClient::Done CapiClient::AskAlone(const CapiJob& job) {
  CapiReply reply;
  absl::StatusOr<std::vector<Done>> done = AskTogether({&job, 1}, &reply);
  if (done.ok() && done->size() == 1) return std::move(done->front());
  Done ended;
  ended.answer.ended = true;
  if (done.ok() && reply.death) {
    ended.answer.observation = *std::move(reply.death);
    ended.last_words = std::move(reply.last_words);
    return ended;
  }
  ended.answer.observation.outcome = Outcome::kToolFailure;
  ended.answer.observation.stage = Stage::kVerify;
  ended.answer.observation.diagnostics = {done.ok() ? "the worker gives no answer"
                                                    : std::string(done.status().message())};
  return ended;
}

std::vector<CapiClient::Done> CapiClient::Ask(absl::Span<const CapiJob> jobs) {
  if (jobs.empty()) return {};
  if (jobs.size() == 1) return {AskAlone(jobs.front())};
  CapiReply reply;
  absl::StatusOr<std::vector<Done>> all = AskTogether(jobs, &reply);
  if (all.ok() && !all->empty()) return *std::move(all);
  std::vector<Done> done = Ask(jobs.first(jobs.size() / 2));
  for (Done& answer : Ask(jobs.subspan(jobs.size() / 2))) done.push_back(std::move(answer));
  return done;
}

}  // namespace tosaic
