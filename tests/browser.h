// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A page in a real browser, headless: Debian's chromium-headless-shell (ci/install_packages.sh). For tests only.
#ifndef TOSAIC_TESTS_BROWSER_H_
#define TOSAIC_TESTS_BROWSER_H_

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/temporary_directory.h"

namespace tosaic {

struct Window {
  int width = 1280;
  int height = 900;
  bool dark = false;
};

struct Page {
  std::string dom;         // after the scripts ran
  std::string screenshot;  // PNG
};

// Opens the page, at a place in it if `fragment` is not empty ("#f0").
inline Page OpenPage(const std::string& html, const Window& window, const std::string& fragment = "") {
  TemporaryDirectory directory;
  const std::string file = directory / "page.html", png = directory / "page.png", dom = directory / "dom.html";
  Spill(file, html);
  // No sandbox: CI's processes are root, which Chromium refuses otherwise. No network: the page must not need one.
  const std::string command = absl::StrCat(
      "chromium-headless-shell --no-sandbox --disable-gpu --hide-scrollbars --disable-dev-shm-usage "
      "--host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir='",
      directory / "profile", "' --window-size=", window.width, ",", window.height,
      " --blink-settings=preferredColorScheme=", window.dark ? 0 : 1, " --screenshot='", png, "' --dump-dom 'file://",
      file, fragment, "' > '", dom, "' 2> '", directory / "log", "' < /dev/null");
  EXPECT_EQ(std::system(command.c_str()), 0) << command << "\n" << Slurp(directory / "log");
  return {Slurp(dom), Slurp(png)};
}

// Width and height of a PNG; zeros if it is none.
inline std::pair<uint32_t, uint32_t> SizeOfPng(const std::string& png) {
  if (png.size() < 24 || !absl::StartsWith(png, "\x89PNG\r\n\x1a\n")) return {0, 0};
  const auto number = [&](size_t at) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(png[at + i]);
    return value;
  };
  return {number(16), number(20)};
}

}  // namespace tosaic

#endif  // TOSAIC_TESTS_BROWSER_H_
