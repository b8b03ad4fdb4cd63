#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Does every source file say in its first line (after a #! line) which licence it is under? `--fix` inserts the line. The
# templates of reproducers are left out: what is made of them is the user's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

licence='SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception'
missing=()
while IFS= read -r -d '' file; do
  case $file in
    *.cpp | *.h | *.def | *.c) line="// $licence" ;;
    *) line="# $licence" ;;
  esac
  first=1
  if [[ $(head -c 2 "$file") == '#!' ]]; then first=2; fi
  if [[ $(sed -n "${first}p" "$file") == "$line" ]]; then continue; fi
  missing+=("$file")
  if [[ ${1:-} == --fix ]]; then
    { head -n $((first - 1)) "$file"; echo "$line"; tail -n +"$first" "$file"; } > "$file.licence"
    chmod --reference="$file" "$file.licence"
    mv "$file.licence" "$file"
  fi
done < <(find . \( -path './build*' -o -name .git \) -prune -o -path '*/templates' -prune -o -type f \
  \( -name '*.cpp' -o -name '*.h' -o -name '*.def' -o -name '*.py' -o -name '*.sh' -o -name '*.cmake' -o -name CMakeLists.txt \) \
  -print0 | sort -z)

if [[ ${#missing[@]} -eq 0 || ${1:-} == --fix ]]; then exit 0; fi
printf '%s: its first line is not the licence\n' "${missing[@]}" >&2
echo "check_licence.sh: ${#missing[@]} files; --fix inserts the line" >&2
exit 1
