// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The HTML report, as text and in a real browser.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "reports/formats.h"
#include "reports/html_parts.h"
#include "reports/trend.h"
#include "tests/browser.h"
#include "tests/example_results.h"

namespace tosaic {
namespace {

ResultReport ReadExample(const std::string& kind, const std::string& text) {
  const auto files = ExampleFindingFiles(text);
  return ReadReport(ExampleResults(text).at(kind), "dir/" + kind + ".json",
                    [&](const std::string& name) -> std::optional<std::string> {
                      const auto at = files.find(name);
                      return at == files.end() ? std::nullopt : std::optional<std::string>(at->second);
                    })
      .value();
}

// The page with a script of the test's own behind all others; it leaves what it finds in the body's data-found.
std::string WithProbe(const std::string& html, const std::string& script) {
  const std::string probed = absl::StrReplaceAll(
      html,
      {{"</body>", absl::StrCat("<script>document.body.dataset.found = (() => {", script, "})();</script></body>")}});
  EXPECT_NE(probed, html);
  return probed;
}

std::string Found(const Page& page) {
  const std::string key = "data-found=\"";
  const size_t at = page.dom.find(key);
  if (at == std::string::npos) return "no answer";
  const size_t begin = at + key.size();
  return page.dom.substr(begin, page.dom.find('"', begin) - begin);
}

// A script that lists the unreadable parts of a page whose folds are all open: text whose contrast is below 4.5 (WCAG
// 2.1, AA), text that is cut off or stands outside of the window, and a page that scrolls sideways; "" if there are
// none.
constexpr char kUnreadable[] = R"(
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  const parts = (text) => { const all = text.match(/[\d.]+/g).map(Number); return [...all.slice(0, 3), all[3] ?? 1]; };
  const over = (front, back) => [0, 1, 2].map((i) => front[i] * front[3] + back[i] * (1 - front[3])).concat(1);
  const groundOf = (one) => one === null ? [255, 255, 255, 1]
      : over(parts(getComputedStyle(one).backgroundColor), groundOf(one.parentElement));
  const linear = (value) => value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  const light = (color) => 0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2]) + 0.05;
  const found = new Set();
  if (document.documentElement.scrollWidth > innerWidth) found.add("it scrolls sideways");
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, parent = text.parentElement;
    if (!text.data.trim() || parent.closest("script, style") || parent.getClientRects().length === 0) continue;
    const say = (what) => found.add(what + ": " + text.data.trim().slice(0, 30));
    const ground = groundOf(parent), color = over(parts(getComputedStyle(parent).color), ground);
    const ratio = light(color) / light(ground), contrast = Math.max(ratio, 1 / ratio);
    if (contrast < 4.5) say("contrast " + contrast.toFixed(2));
    const range = document.createRange();
    range.selectNodeContents(text);
    const right = range.getBoundingClientRect().right;
    for (let one = parent; one; one = one.parentElement) {
      const overflow = getComputedStyle(one).overflowX;
      if (overflow === "auto" || overflow === "scroll") break;
      if (overflow === "hidden" && right > one.getBoundingClientRect().right + 1) say("cut");
      if (!one.parentElement && right > innerWidth + 1) say("outside");
    }
  }
  return [...found].join("; ");)";

// On a screen and a telephone, light and dark.
constexpr Window kWindows[] = {{1280, 900, false}, {1280, 900, true}, {390, 844, false}, {390, 844, true}};

TEST(HtmlReportTest, NeedsNoOtherFileAndNoNetwork) {
  for (const auto& [kind, file] : ExampleResults("text")) {
    const std::string html = ReportToHtml(ReadExample(kind, "text"));
    for (const char* forbidden : {"src=", "<link", "@import", "url(", "fetch(", "XMLHttpRequest", "http://"}) {
      EXPECT_FALSE(absl::StrContains(html, forbidden)) << kind << ": " << forbidden;
    }
    // Only links go elsewhere, if they are followed.
    const std::string without_links = absl::StrReplaceAll(html, {{"<a href=\"https://", ""}, {">https://", ""}});
    EXPECT_FALSE(absl::StrContains(without_links, "https://")) << kind;
    EXPECT_TRUE(absl::StrContains(html, "default-src 'none'"));
  }
}

TEST(HtmlReportTest, FindingsAreReadableWithoutTheScript) {
  const std::string html = ReportToHtml(ReadExample(kCampaignKind, "text"));
  const std::string before_script = html.substr(0, html.find("<script"));
  for (const char* part :
       {"1 new finding", "<details class=\"finding new\" id=\"f0\" open>", "wrong-value/abs/text", "value.abs",
        "-1.5 text", "tosa.abs", "mlir-opt repro.mlir", "bash &#39;dir/findings/fresh/repro.sh&#39;",
        "tosaic check case.json", "because text", "tosaic text", "aria-label=\"abs, f32: 1 new, 1 known\"",
        "aria-label=\"tiles: 1 new, 1 known, 1 unsupported, "}) {
    EXPECT_TRUE(absl::StrContains(before_script, part)) << part;
  }
}

TEST(HtmlReportTest, TheResultFileIsNoFileOfAFinding) {
  ResultReport report = ReadExample(kCampaignKind, "text");
  EXPECT_TRUE(absl::StrContains(ReportToHtml(report), "<dt>file</dt>"));
  for (ReportFinding& finding : report.findings) finding.location = report.file;
  EXPECT_FALSE(absl::StrContains(ReportToHtml(report), "<dt>file</dt>"));
}

TEST(HtmlReportTest, WhatIsNewStandsBeforeWhatIsKnownAndTheMosaic) {
  const std::string html = ReportToHtml(ReadExample(kCampaignKind, "text"));
  EXPECT_LT(html.find("id=\"h-new\""), html.find("id=\"h-known\""));
  EXPECT_LT(html.find("id=\"h-known\""), html.find("id=\"h-mosaic\""));
}

TEST(HtmlReportTest, NothingOfAResultFileIsReadAsMarkup) {
  for (const auto& [kind, file] : ExampleResults(kNasty)) {
    const std::string html = ReportToHtml(ReadExample(kind, kNasty));
    EXPECT_FALSE(absl::StrContains(html, "<script>document")) << kind;
    EXPECT_FALSE(absl::StrContains(html, "<img")) << kind;
    const Page page = OpenPage(
        WithProbe(html, "return document.title + ' ' + document.images.length + ' ' + document.scripts.length;"), {},
        "#tile=abs/f32");
    EXPECT_FALSE(absl::StrContains(Found(page), "boom")) << kind << ": " << Found(page);
    EXPECT_TRUE(absl::EndsWith(Found(page), " 0 3")) << kind << ": " << Found(page);
  }
}

TEST(HtmlReportTest, AnEmptyReportIsAPage) {
  ResultReport report;
  report.kind = ResultKind::kConformance;
  report.sides.emplace_back();
  const Page page = OpenPage(ReportToHtml(report), {});
  EXPECT_TRUE(absl::StrContains(page.dom, "Nothing new"));
  EXPECT_TRUE(absl::StrContains(page.dom, "<html lang=\"en\" class=\"js\">")) << "the script ran to its end";
}

TEST(HtmlReportTest, CanBeReadOnAScreenAndATelephoneInLightAndDark) {
  std::map<std::string, std::string> pages;
  for (const auto& [kind, file] : ExampleResults("text")) pages[kind] = ReportToHtml(ReadExample(kind, "text"));
  NightRow night;
  night.name = "2026-11-21";
  night.cases = night.compared = 50;
  // Its policy lets no script run, the test's neither.
  pages["nights"] = absl::StrReplaceAll(TrendPage({{night}}, [](const NightRow&) { return std::vector<NightLink>(); }),
                                        {{"default-src 'none'; ", ""}});
  for (const auto& [name, html] : pages) {
    std::string light;
    for (const Window& window : kWindows) {
      SCOPED_TRACE(absl::StrCat(name, " at ", window.width, window.dark ? " dark" : " light"));
      const Page page = OpenPage(WithProbe(html, kUnreadable), window);
      EXPECT_EQ(SizeOfPng(page.screenshot), (std::pair<uint32_t, uint32_t>(window.width, window.height)));
      EXPECT_EQ(Found(page), "");
      if (window.dark) EXPECT_NE(page.screenshot, light) << "the dark one looks like the light one";
      light = page.screenshot;
    }
  }
}

TEST(HtmlReportTest, TheBrowserSeesWhatCannotBeRead) {
  const std::string html = ReportToHtml(ReadExample(kCampaignKind, "text"));
  for (const auto& [from, to, damage] : std::vector<std::array<std::string, 3>>{
           {"--soft: #666c76", "--soft: #aaa", "contrast 2.2"},
           {"overflow-wrap: anywhere;\n}", "white-space: nowrap;\n}", "it scrolls sideways"},
           {".counts {", ".counts { width: 3rem; overflow: hidden; white-space: nowrap;", "cut: "}}) {
    const std::string spoilt = absl::StrReplaceAll(html, {{from, to}});
    ASSERT_NE(spoilt, html) << from;
    const std::string found = Found(OpenPage(WithProbe(spoilt, kUnreadable), {390, 844, false}));
    EXPECT_TRUE(absl::StrContains(found, damage)) << damage << " in " << found;
  }
}

TEST(HtmlReportTest, NamesOfOpsAreNoColumnsOfLettersOnATelephone) {
  ResultReport report = ReadExample(kCampaignKind, "text");
  report.tiles.push_back(
      {Standing::kConforms, ExampleTile("arithmetic_right_shift", "i32", "dynamic", {{Verdict::kAgree, 1}}), {}});
  const std::string script =
      "const names = [...document.querySelectorAll('.box tbody th')];"
      "const box = document.querySelector('.box');"
      "return [names.length, names.every((one) => one.offsetWidth >= 144 && one.offsetHeight <= 40),"
      "        box.scrollWidth === box.clientWidth].join(' ');";
  EXPECT_EQ(Found(OpenPage(WithProbe(ReportToHtml(report), script), {390, 844, false})), "4 true true");
}

TEST(HtmlReportTest, WhatIsBeyondTheSpecificationStandsApart) {
  ResultReport report = ReadExample(kCampaignKind, "text");
  const std::string html = ReportToHtml(report);
  const size_t apart =
      html.find("<details class=\"fold apart\"><summary>Beyond the specification <small>1 combination ");
  ASSERT_NE(apart, std::string::npos);
  EXPECT_FALSE(absl::StrContains(html, "<th scope=\"col\">i4</th>"));
  EXPECT_TRUE(absl::StrContains(html.substr(apart), "<dt>abs</dt><dd><span>i4<button "));
  // Where nothing is of the specification, nothing stands apart.
  std::erase_if(report.tiles, [](const ReportTile& tile) { return tile.tile.types != "i4"; });
  const std::string alone = ReportToHtml(report);
  EXPECT_TRUE(absl::StrContains(alone, "<th scope=\"col\">i4</th>"));
  EXPECT_FALSE(absl::StrContains(alone, "fold apart"));
  // A link opens it.
  const Page page = OpenPage(html, {}, "#tile=abs/i4");
  EXPECT_TRUE(absl::StrContains(page.dom, "<details class=\"fold apart\" open=\"\">"));
}

TEST(HtmlReportTest, SaysWhenOfWhatAndWhatLettersMean) {
  ResultReport report = ReadExample(kCampaignKind, "text");
  report.facts.push_back({kDateFact, "2026-11-22 03:10 UTC"});
  const std::string html = ReportToHtml(report);
  for (const char* part :
       {"mlir-22, LLVM 22.1.8 text, 2026-11-22 03:10 UTC</p>", "<li><b>12</b> cases</li><li><b>32</b> runs</li>",
        "<b>5</b> tiles:</li>", "where a cause lies: <b>F</b> inside the specification. Open",
        "<details class=\"fold\" id=\"F1\">", "known, 3 cases, 1 finding</small>",
        "What <code>docs/findings.md</code> says of F1</summary>"}) {
    EXPECT_TRUE(absl::StrContains(html, part)) << part;
  }
}

TEST(HtmlReportTest, ACauseHasWhatTheFindingsSayOfIt) {
  const std::string f1 = HtmlDocumentation("F1");
  EXPECT_TRUE(absl::StartsWith(f1, "<p><b><code>mul</code> accepts a result of any size</b></p>\n")) << f1;
  for (const char* part :
       {"<p><b>Rule</b> <code>bcast.verify.different</code>: ", "<a href=\"https://github.com/llvm/"}) {
    EXPECT_TRUE(absl::StrContains(f1, part)) << part << " in " << f1;
  }
  EXPECT_FALSE(absl::StrContains(f1, "F2"));
  const std::string b9 = HtmlDocumentation("B9");
  EXPECT_TRUE(absl::StartsWith(b9, "<p><code>cast-i48-bf16</code>: the cast rounds twice, from i64 too, as in F4</p>"))
      << b9;
  EXPECT_EQ(HtmlDocumentation("F99"), "");
}

TEST(HtmlReportTest, ATileShowsItsCases) {
  const Page page = OpenPage(ReportToHtml(ReadExample(kConformanceKind, "text")), {}, "#tile=abs/f32");
  const std::string panel = page.dom.substr(page.dom.find("<aside id=\"panel\""));
  EXPECT_FALSE(
      absl::StartsWith(panel, "<aside id=\"panel\" aria-live=\"polite\" aria-label=\"The tile's cases\" hidden"));
  EXPECT_TRUE(absl::StrContains(panel, "<h3>abs, f32</h3>")) << panel.substr(0, 500);
  EXPECT_TRUE(absl::StrContains(panel, "<b>static-equal</b> new: 8 cases, 16 runs; agree 5, wrong-value 3"));
  EXPECT_TRUE(absl::StrContains(panel, "<a href=\"#f0\">wrong-value/abs/text</a>"));
  EXPECT_TRUE(absl::StrContains(panel, "<li><code>0</code> wrong-value <code class=\"soft\">rule text</code></li>"));
  EXPECT_TRUE(absl::StrContains(page.dom, "data-at=\"0,3\" aria-expanded=\"true\""));
}

TEST(HtmlReportTest, ALinkOpensItsFinding) {
  const Page page = OpenPage(ReportToHtml(ReadExample(kCampaignKind, "text")), {}, "#f1");
  EXPECT_TRUE(absl::StrContains(page.dom, "<details class=\"finding known\" id=\"f1\" open=\"\">"));
}

TEST(HtmlReportTest, ArrowsWalkTheMosaicAndEscapeCloses) {
  const std::string script = R"(
    const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    const stops = document.querySelectorAll("button.t[tabindex='0']");
    stops[0].focus();
    const seen = [stops.length, document.activeElement.dataset.at];
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowDown"]) {
      press(key);
      seen.push(document.activeElement.dataset.at);
    }
    seen.push(document.getElementById("panel").hidden);
    press("Escape");
    seen.push(document.getElementById("panel").hidden);
    return seen.join(" ");)";
  const Page page = OpenPage(WithProbe(ReportToHtml(ReadExample(kConformanceKind, "text")), script), {});
  // Rows abs, cast -> i16, cast -> f32; columns i4, i32, f32, and i8 of the casts between the first two.
  EXPECT_EQ(Found(page), "1 0,3 0,2 0,0 0,0 0,2 0,2 false true");
}

TEST(HtmlReportTest, TheAccuracyProfileIsAChart) {
  const Page page = OpenPage(ReportToHtml(ReadExample(kValuesKind, "text")), {});
  EXPECT_TRUE(absl::StrContains(page.dom, "aria-label=\"25.00 % of the allowed error\""));
  EXPECT_TRUE(absl::StrContains(page.dom, "No error at all: 1 more sweep."));
}

TEST(HtmlReportTest, CoverageHasItsGroupsAndFunctions) {
  const std::string html = ReportToHtml(ReadExample(kCoverageKind, "text"));
  EXPECT_TRUE(absl::StrContains(html, "<td>fold</td><td class=\"n\">1</td><td class=\"n\">0</td>")) << html;
  EXPECT_TRUE(absl::StrContains(html, "<summary>1 reached in part</summary>"));
  EXPECT_TRUE(absl::StrContains(html, "<code>Never text: because text</code>"));
  EXPECT_TRUE(absl::StrContains(html, "2 of 3 blocks reached, 0 functions never entered"));
}

TEST(HtmlReportTest, AComparisonIsColouredByItsChanges) {
  const std::string html = ReportToHtml(ReadExample(kComparisonKind, "text"));
  EXPECT_TRUE(absl::StrContains(html, "aria-label=\"abs, f32: 1 regressed, 1 changed\"")) << html;
  EXPECT_TRUE(absl::StrContains(html, "1 case regressed, 1 supported now, 1 changed"));
  EXPECT_TRUE(absl::StrContains(html, "<code>abs/f32/static-equal/0</code></td><td>agree</td><td>wrong-value</td>"));
}

TEST(HtmlReportTest, AComparisonSaysWhatTellsItsSidesApart) {
  ResultReport report = ReadExample(kComparisonKind, "text");
  ASSERT_EQ(report.sides.size(), 2u);
  report.sides[0].provenance = {.pipeline = "m(a,b)"};
  report.sides[1].provenance = {.pipeline = "m(a,<b>,b)", .plugins = {"patch.so"}};
  const std::string html = ReportToHtml(report);
  EXPECT_TRUE(absl::StrContains(html, ", plugins patch.so")) << html;
  EXPECT_TRUE(absl::StrContains(html,
                                "<p class=\"soft\">Passes: after <code>a</code>, base runs nothing and patch runs "
                                "<code>&lt;b&gt;</code>.</p>"));
}

TEST(HtmlReportTest, ElevenThousandCasesStayUsable) {
  ResultReport report = ReadExample(kConformanceKind, "text");
  report.tiles.clear();
  report.suite_cases.clear();
  for (int i = 0; i < 11000; ++i) {
    const std::string op = absl::StrCat("op", i / 250 % 44), types = absl::StrCat("t", i / 25 % 10),
                      shapes = absl::StrCat("class", i / 2 % 12);
    report.suite_cases.push_back({{op, types, shapes},
                                  absl::StrCat(op, "/", types, "/", shapes, "/", i % 2),
                                  Verdict::kAgree,
                                  {RuleId::kNone, "value." + op},
                                  {},
                                  4});
    if (i % 2 != 0) continue;
    report.tiles.push_back({Standing::kConforms, ExampleTile(op, types, shapes, {{Verdict::kAgree, 2}}), std::nullopt});
  }
  const std::string html = ReportToHtml(report);
  EXPECT_LT(html.size(), 2'000'000u);
  const Page page = OpenPage(WithProbe(html, "return document.querySelectorAll('button.t').length;"), {390, 844, false},
                             "#tile=op3/t4");
  EXPECT_EQ(Found(page), "440");
  EXPECT_TRUE(absl::StrContains(page.dom, "<h3>op3, t4</h3>"));
}

// The range from the least number to the greatest: the patterns of negative numbers come second, and fall.
TEST(HtmlReportTest, ErrorsOverTheRangeAreAPicture) {
  ResultReport report;
  AccuracyRow& row = report.accuracy.emplace_back();
  row.op = "tanh", row.types = "f32", row.exhaustive = true;
  row.max_error = 2, row.max_error_inputs = {"0x40000000"}, row.compared = 4, row.disagreements = 1;
  row.wrong = "tanh f32: 1 wrong input, 0x80000000";
  row.curve = {{.first = "0x00000000", .error = 1, .allowed = 4},
               {.first = "0x40000000", .error = 2, .allowed = 16},
               {.first = "0x80000000", .is_wrong = true},
               {.first = "0xc0000000"}};
  const std::string html = HtmlAccuracy(report);
  EXPECT_TRUE(absl::StrContains(html, "2 ulp at 0x40000000")) << html;
  EXPECT_TRUE(absl::StrContains(html, "class=\"used\" d=\"M256 120h1v-24.0h-1zM384 120h1v-27.0h-1z\"")) << html;
  EXPECT_TRUE(absl::StrContains(html, "class=\"over\" d=\"M128 120h1v-1.0h-1z\"")) << html;
  EXPECT_TRUE(absl::StrContains(html, "class=\"allowed\" d=\"M256 90.0M384 84.0\"")) << html;
  EXPECT_TRUE(absl::StrContains(html, "<p>tanh f32: 1 wrong input, 0x80000000</p>")) << html;
  row.exhaustive = false;  // of a shard
  EXPECT_FALSE(absl::StrContains(HtmlAccuracy(report), "<figure")) << html;
}

}  // namespace
}  // namespace tosaic
