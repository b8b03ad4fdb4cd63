#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what Tosaic needs from Debian's packages; quick when all of it is there. Further packages may be named.
#
#   ci/install_packages.sh [--to-build] [PACKAGE...]      --to-build: only what building and running `tosaic` needs
set -euo pipefail

packages=(
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools clang-22 libclang-rt-22-dev lld-22
  libabsl-dev nlohmann-json3-dev libmpfr-dev libz3-dev libcli11-dev
  ninja-build cmake ccache git
)
if [[ ${1:-} == --to-build ]]; then
  shift
else
  packages+=(
    mlir-19-tools mlir-16-tools libgtest-dev libbenchmark-dev clang-format-22 shellcheck
    # For --cpu: headers and libraries for the servers, and the emulators that they run in.
    g++-aarch64-linux-gnu g++-riscv64-linux-gnu qemu-user
    # The tests validate reports with these, and open the HTML in a browser (64 MB to load, 220 MB on disk).
    libxml2-utils python3-jsonschema chromium-headless-shell
    # ci/pull_request.sh and ci/findings_by_version.sh read results with it.
    jq
  )
fi
packages+=("$@")

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  # Of a package for several architectures there is a state each: "installedinstalled".
  [[ $state == *installed && $state != *not-installed ]] || missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo > /dev/null || { echo "install_packages.sh: run as root, or install sudo: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "installing: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -qq -y --no-install-recommends -o Dpkg::Use-Pty=0 "${missing[@]}" < /dev/null > /dev/null
