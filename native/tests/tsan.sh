#!/bin/sh
# Builds test_threads.cpp with ThreadSanitizer, in a folder of its own, and runs it.
# Usage: native/tests/tsan.sh [rounds]; CXX and CXXFLAGS are honoured.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
${CXX:-c++} -std=c++20 -O1 -g -fsanitize=thread -pthread -Wall -Wextra -Werror ${CXXFLAGS:-} \
  -I"$here/../include" "$here/test_threads.cpp" -o "$folder/test_threads"
round=0
while [ "$round" -lt "${1:-3}" ]; do
  TSAN_OPTIONS=halt_on_error=1 "$folder/test_threads"
  round=$((round + 1))
done
echo "no data race in ${1:-3} rounds"
