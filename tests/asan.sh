#!/bin/sh
# Builds the extension with AddressSanitizer and UndefinedBehaviorSanitizer, in an environment of its own in build/asan,
# and runs the tests that reach it in most ways. Reports are kept apart, since pytest would swallow them.
# Usage: tests/asan.sh VENV [pytest arguments ...]; the packages of VENV are borrowed, g++ is the compiler.
set -eu
cd "$(dirname "$0")/.."
bin=$(cd "$1/bin" && pwd)
shift
[ $# -gt 0 ] || set -- -n 2 --dist loadgroup -k "not megabyte and not fork and not bounded and not uses_up and not quickly" \
  tests/arrow tests/golden tests/conformance tests/property tests/plugins tests/hostile tests/patterns \
  tests/training/test_trainer.py tests/training/test_counts.py tests/training/test_edit.py
folder=$PWD/build/asan
own=$folder/venv/bin
packages() { "$1/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }

"$bin/python" -m venv "$folder/venv"
packages "$bin" > "$(packages "$own")/borrowed.pth"
CXX=g++ PATH=$bin:$PATH "$bin/python" -m pip --python "$own/python" install -q --no-deps --no-build-isolation \
  --force-reinstall -C build-dir="$folder/build" -C cmake.define.WORDSPLIT_SANITIZE=ON .
grep -q __asan_init "$(packages "$own")"/wordsplit/_native*.so # else the tests would prove nothing

rm -f "$folder"/report.*
export ASAN_OPTIONS="detect_leaks=0:log_path=$folder/report" # what the interpreter keeps to its end is no leak
export UBSAN_OPTIONS="print_stacktrace=1:log_path=$folder/report"
export PYTHONMALLOC=malloc # or overruns would stay within Python's arenas, unseen
status=0
# libstdc++ as well: the interceptor of exceptions must find the real one before the extension is loaded.
LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libstdc++.so)" \
  "$own/python" -m pytest -q "$@" || status=$?
for report in "$folder"/report.*; do
  if [ -e "$report" ]; then
    cat "$report"
    status=1
  fi
done
exit $status
