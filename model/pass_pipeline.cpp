// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/pass_pipeline.h"

#include <algorithm>
#include <cstddef>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "codec/status.h"

namespace tosaic {
namespace {

// Reads the text from front to back; `at_` is always the next character.
class Splitter {
 public:
  explicit Splitter(absl::string_view text) : text_(text) {}

  absl::StatusOr<std::vector<PipelinePass>> Run() {
    const std::string outermost = Name();
    if (outermost.empty() || Peek() != '(') return Error("a pipeline is an anchor: builtin.module(...)");
    TOSAIC_RETURN_IF_ERROR(Nest(outermost));
    if (at_ != text_.size()) return Error("nothing may follow the last bracket");
    return std::move(passes_);
  }

 private:
  absl::Status Error(absl::string_view message) const {
    return absl::InvalidArgumentError(
        absl::StrCat("the pass pipeline '", text_, "', character ", at_ + 1, ": ", message));
  }

  char Peek() {
    while (at_ < text_.size() && absl::ascii_isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  std::string Name() {
    Peek();
    const size_t begin = at_;
    while (at_ < text_.size() && text_.find_first_of("(){},", at_) != at_) ++at_;
    return std::string(absl::StripTrailingAsciiWhitespace(text_.substr(begin, at_ - begin)));
  }

  // From a '{' to the '}' that closes it; options may hold pipelines and lists in braces.
  absl::StatusOr<std::string> Options() {
    const size_t begin = at_;
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '{') ++depth;
      if (text_[at_] == '}' && --depth == 0) return std::string(text_.substr(begin, ++at_ - begin));
    }
    return Error("'{' is never closed");
  }

  // The list between an anchor's parentheses; it starts at '(' and ends after ')'.
  absl::Status Nest(const std::string& op) {
    const bool is_within_itself = absl::c_any_of(anchors_, [&](const auto& anchor) { return anchor.op == op; });
    if (is_within_itself && op != "any") {
      return Error(absl::StrCat("'", op, "(' stands within '", op,
                                "(' already, so its passes would run on nothing: name them without it"));
    }
    anchors_.push_back({op, next_anchor_++});
    ++at_;
    bool first = true;
    while (first || Peek() == ',') {
      if (!first) ++at_;
      const std::string name = Name();
      if (first && name.empty() && Peek() == ')') break;  // an empty list
      if (name.empty()) return Error("a pass belongs here");
      first = false;
      if (Peek() == '(') {
        TOSAIC_RETURN_IF_ERROR(Nest(name));
        continue;
      }
      PipelinePass pass{.name = name, .text = name, .anchors = anchors_};
      if (Peek() == '{') {
        TOSAIC_ASSIGN_OR_RETURN(const std::string options, Options());
        pass.text += options;
      }
      passes_.push_back(std::move(pass));
    }
    if (Peek() != ')') return Error("',' or ')' belongs here");
    ++at_;
    Peek();
    anchors_.pop_back();
    return absl::OkStatus();
  }

  absl::string_view text_;
  size_t at_ = 0;
  int next_anchor_ = 0;
  std::vector<PipelinePass::Anchor> anchors_;
  std::vector<PipelinePass> passes_;
};

}  // namespace

absl::StatusOr<std::vector<PipelinePass>> SplitPipeline(absl::string_view pipeline) { return Splitter(pipeline).Run(); }

std::vector<std::string> PassesIn(absl::string_view pipeline) {
  std::vector<std::string> names;
  const absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(pipeline);
  for (const PipelinePass& pass : passes.value_or(std::vector<PipelinePass>())) names.push_back(pass.name);
  return names;
}

std::string JoinPipeline(absl::Span<const PipelinePass> passes) {
  if (passes.empty()) return "builtin.module()";
  std::string text;
  std::vector<PipelinePass::Anchor> open;
  for (const PipelinePass& pass : passes) {
    size_t shared = 0;
    while (shared < open.size() && shared < pass.anchors.size() && open[shared] == pass.anchors[shared]) ++shared;
    while (open.size() > shared) {
      text += ')';
      open.pop_back();
    }
    if (!text.empty() && text.back() != '(') text += ',';
    while (open.size() < pass.anchors.size()) {
      open.push_back(pass.anchors[open.size()]);
      absl::StrAppend(&text, open.back().op, "(");
    }
    text += pass.text;
  }
  return text.append(open.size(), ')');
}

std::string ChainPipelines(absl::Span<const absl::string_view> pipelines) {
  std::vector<absl::string_view> chained;
  for (absl::string_view pipeline : pipelines) {
    pipeline = absl::StripAsciiWhitespace(pipeline);
    if (absl::ConsumePrefix(&pipeline, "builtin.module(")) absl::ConsumeSuffix(&pipeline, ")");
    if (!pipeline.empty()) chained.push_back(pipeline);
  }
  return absl::StrCat("builtin.module(", absl::StrJoin(chained, ","), ")");
}

absl::StatusOr<std::string> InsertPass(absl::string_view pipeline, PassPlace place, absl::string_view there,
                                       absl::string_view pass) {
  TOSAIC_ASSIGN_OR_RETURN(std::vector<PipelinePass> passes, SplitPipeline(pipeline));
  const auto at = absl::c_find_if(passes, [&](const PipelinePass& p) { return p.name == there || p.text == there; });
  if (at == passes.end()) {
    return absl::NotFoundError(absl::StrCat("the pass pipeline '", pipeline, "' has no pass '", there, "'"));
  }
  switch (place) {
    case PassPlace::kBefore:
      at->text = absl::StrCat(pass, ",", at->text);
      break;
    case PassPlace::kAfter:
      absl::StrAppend(&at->text, ",", pass);
      break;
    case PassPlace::kInstead:
      at->text = std::string(pass);
      break;
  }
  std::string edited = JoinPipeline(passes);
  TOSAIC_RETURN_IF_ERROR(SplitPipeline(edited).status());
  return edited;
}

PipelineChange ComparePipelines(absl::string_view before, absl::string_view after) {
  const absl::StatusOr<std::vector<PipelinePass>> a = SplitPipeline(before), b = SplitPipeline(after);
  if (!a.ok() || !b.ok()) return {};
  size_t same = 0, same_behind = 0;
  const size_t least = std::min(a->size(), b->size());
  while (same < least && (*a)[same].text == (*b)[same].text) ++same;
  const auto from_end = [&](const std::vector<PipelinePass>& passes) {
    return passes[passes.size() - 1 - same_behind].text;
  };
  while (same_behind < least - same && from_end(*a) == from_end(*b)) ++same_behind;
  const auto text = [&](const std::vector<PipelinePass>& passes) {
    const auto between = absl::MakeSpan(passes).subspan(same, passes.size() - same - same_behind);
    return absl::StrJoin(between, ",", [](std::string* out, const PipelinePass& pass) { *out += pass.text; });
  };
  const auto through = [&](const std::vector<PipelinePass>& passes) {
    return JoinPipeline(absl::MakeSpan(passes).first(passes.size() - same_behind));
  };
  return {.behind = same == 0 ? "" : (*a)[same - 1].text,
          .before_through = through(*a),
          .after_through = through(*b),
          .before = text(*a),
          .after = text(*b)};
}

}  // namespace tosaic
