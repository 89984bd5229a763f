#!/bin/sh
# Builds test_threads.cpp, test_indexes.cpp, test_span_cache.cpp and test_training.cpp with ThreadSanitizer, in a folder of its own, and runs them.
# Usage: native/tests/tsan.sh [rounds]; CXX and CXXFLAGS are honoured.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for test in threads indexes span_cache training; do
  ${CXX:-c++} -std=c++20 -O1 -g -fsanitize=thread -pthread -Wall -Wextra -Werror ${CXXFLAGS:-} \
    -I"$here/../include" "$here/test_$test.cpp" -o "$folder/test_$test"
done
export TSAN_OPTIONS=halt_on_error=1
round=0
while [ "$round" -lt "${1:-3}" ]; do
  "$folder/test_threads"
  round=$((round + 1))
done
"$folder/test_indexes"
"$folder/test_span_cache" threads
"$folder/test_training" 300
echo "no data race in ${1:-3} rounds"
