#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the libFuzzer targets as OSS-Fuzz and ClusterFuzzLite ask: compiler, flags and engine come from the environment,
# and all that the targets need at run time is left in OUT. The services' sources lie in SRC/tosaic, what is built in
# WORK.
set -euo pipefail
: "${CC:?}" "${CXX:?}" "${CFLAGS:?}" "${CXXFLAGS:?}" "${LIB_FUZZING_ENGINE:?}" "${OUT:?}" "${SRC:?}" "${WORK:?}"
source=$SRC/tosaic
settings=$source/ci/oss-fuzz
targets=(fuzz_verifier fuzz_trait fuzz_numeric fuzz_program)

# MLIR's packages are built with libstdc++: what links to them cannot take libc++. RPATH, unlike RUNPATH, also holds for
# the libraries that libraries need.
cmake -S "$source" -B "$WORK/tosaic" -G Ninja -Wno-dev \
  -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_C_FLAGS="$CFLAGS" -DCMAKE_CXX_FLAGS="${CXXFLAGS//-stdlib=libc++/}" \
  -DCMAKE_EXE_LINKER_FLAGS="-fuse-ld=lld -Wl,--disable-new-dtags" \
  -DCMAKE_INSTALL_RPATH="\$ORIGIN/lib" -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON \
  -DMLIR_DIR=/usr/lib/llvm-22/lib/cmake/mlir -DLLVM_DIR=/usr/lib/llvm-22/lib/cmake/llvm \
  -DTOSAIC_FUZZERS=ON -DTOSAIC_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" -DTOSAIC_TESTS=OFF -DTOSAIC_BENCHMARKS=OFF \
  > "$WORK/cmake.log" || { cat "$WORK/cmake.log" >&2; exit 1; }
cmake --build "$WORK/tosaic" --target "${targets[@]}"

mkdir -p "$OUT/lib"
for target in "${targets[@]}"; do
  cp "$WORK/tosaic/bin/$target" "$OUT/"
  cp "$settings/target.options" "$OUT/$target.options"
  seeds=("$source/corpus/$target"/*)
  if [[ $target == fuzz_program ]]; then
    # Its inputs are case files, of which those of rules and of known divergences are seeds.
    seeds=("$source/corpus/rules"/* "$source/corpus/regressions"/*)
    sed -i 's/^max_len = .*/max_len = 65536/' "$OUT/$target.options"
  else
    cp "$settings/bytes.dict" "$OUT/$target.dict"
  fi
  rm -f "$OUT/${target}_seed_corpus.zip"
  zip --quiet --junk-paths "$OUT/${target}_seed_corpus.zip" "${seeds[@]}"
  # All but what belongs to the C library, which comes with the machine that runs the targets. LLVM's libraries lie where
  # the loader does not search by itself.
  LD_LIBRARY_PATH=/usr/lib/llvm-22/lib ldd "$WORK/tosaic/bin/$target" > "$WORK/libraries.txt"
  if grep 'not found' "$WORK/libraries.txt" >&2; then exit 1; fi
  awk '$2 == "=>" && $3 ~ /^\// { print $3 }' "$WORK/libraries.txt" \
    | grep --invert-match --extended-regexp '/(libc|libm|libdl|librt|libpthread|libresolv)\.so' \
    | xargs --no-run-if-empty cp --dereference --update --target-directory="$OUT/lib"
done
