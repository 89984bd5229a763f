#!/bin/sh
# Runs the C++ tests of everything that is written for NEON on an emulated AArch64, and compares the
# ids there with those of this machine, at every SIMD level. Checks, too, that a big-endian machine
# is refused. Needs Debian's g++-aarch64-linux-gnu and qemu-user-static.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
build() { # compiler, source, program, more options
  compiler=$1 source=$2 program=$3
  shift 3
  $compiler -std=c++20 -O2 -Wall -Wextra -Werror "$@" -I"$here/../include" "$here/$source.cpp" -o "$folder/$program"
}
arm() { build aarch64-linux-gnu-g++ "$1" "$1-arm" -static; }

if refused=$(aarch64-linux-gnu-g++ -mbig-endian -E "$here/../include/wordsplit/base/byte_order.hpp" 2>&1); then
  echo "a big-endian machine is not refused"
  exit 1
fi
echo "$refused" | grep -q "WORDSPLIT_PURE_PYTHON=1" || { echo "$refused"; exit 1; }

for test in scanners automata nfc utf8 json_lines lockstep_merge simd hot_lookup span_cache encoders engine; do
  arm "test_$test"
  qemu-aarch64-static "$folder/test_$test-arm"
  echo "test_$test: passed"
done

arm encode_text
build "${CXX:-c++}" encode_text encode_text
python3 -c 'import sys, zlib; sys.stdout.buffer.write(zlib.decompress(sys.stdin.buffer.read()))' \
  < "$root/src/wordsplit/vocabs/data/qwen3.bin" > "$folder/vocab"
cat "$root"/*.md "$root"/docs/*.md "$root"/tests/*/*.py > "$folder/text"
"$folder/encode_text" "$folder/vocab" "$folder/text" > "$folder/here"
qemu-aarch64-static "$folder/encode_text-arm" "$folder/vocab" "$folder/text" > "$folder/there"
cat "$folder/here" "$folder/there"
grep -q "^neon: " "$folder/there" || { echo "NEON was not used"; exit 1; }
if [ "$(sed 's/.*: //' "$folder/here" "$folder/there" | sort -u | wc -l)" != 1 ]; then
  echo "the ids differ"
  exit 1
fi
