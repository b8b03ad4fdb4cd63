# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
# For the scripts that install from PyPI, which source it: virtual environments below the cache directory, and nothing in
# the system.

fail() {
  echo "$(basename "$0"): $1" >&2
  exit 1
}

# make_environment NAME: makes it, or keeps the one that is there; `environment` is then its directory.
make_environment() {
  local cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/tosaic
  environment=$cache/$1
  mkdir -p "$cache"
  "$environment/bin/python" -m pip --version > /dev/null 2>&1 && return  # else none is there, or its Python is gone
  python3 -m venv --clear "$environment" || fail "no virtual environment can be made (Debian: install python3-venv)"
}

# from_pypi ARGUMENT...: installs packages into the environment, or the newest versions of them.
from_pypi() {
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade "$@" >&2
}

# version_of PACKAGE...: "NAME VERSION, NAME VERSION".
version_of() {
  "$environment/bin/python" -c \
    'import importlib.metadata as m, sys; print(", ".join(f"{p} {m.version(p)}" for p in sys.argv[1:]))' "$@"
}
