#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what the libFuzzer targets are built with on the services' image, Ubuntu 24.04. That has no LLVM 22: it is
# LLVM's own packages that have it.
set -euo pipefail

key=/usr/share/keyrings/llvm.asc
curl --fail --silent --show-error --location https://apt.llvm.org/llvm-snapshot.gpg.key --output "$key"
echo "deb [signed-by=$key] https://apt.llvm.org/noble/ llvm-toolchain-noble-22 main" > /etc/apt/sources.list.d/llvm-22.list
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
  libmlir-22-dev llvm-22-dev mlir-22-tools libabsl-dev nlohmann-json3-dev libmpfr-dev libcli11-dev \
  libstdc++-13-dev ninja-build cmake zip
