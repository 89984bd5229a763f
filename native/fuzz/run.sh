#!/bin/sh
# Builds the fuzz targets with clang's libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer, runs each
# for so many seconds, and prints how many inputs each was given.
# Usage: native/fuzz/run.sh SECONDS [target …]; FUZZ_DIR keeps corpora and crashes (default: build/fuzz).
set -eu
seconds=${1:?usage: native/fuzz/run.sh SECONDS [target ...]}
shift
here=$(cd "$(dirname "$0")" && pwd)
folder=${FUZZ_DIR:-$here/../../build/fuzz}
mkdir -p "$folder"
[ $# -gt 0 ] || set -- encode nfc scanners automata compiled training json_lines
failed=0
for target in "$@"; do
  ${CXX:-clang++} -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
    -I"$here/../include" "$here/fuzz_$target.cpp" -o "$folder/fuzz_$target"
  mkdir -p "$folder/corpus_$target"
  log="$folder/fuzz_$target.log"
  if ! "$folder/fuzz_$target" -max_total_time="$seconds" -max_len=2048 -timeout=20 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$folder/$target-" "$folder/corpus_$target" > "$log" 2>&1; then
    failed=1
    grep -E "ERROR|SUMMARY|Test unit written" "$log" || tail -5 "$log"
  fi
  echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions"
done
exit $failed
