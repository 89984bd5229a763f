#!/bin/sh
# Prints the paths of the supported Pythons that are installed, oldest first: one of each version.
# Usage: tools/installed_pythons.sh [--free-threaded], which prints the free-threaded ones instead.
# Looks on PATH, in pyenv's folder, and where CONTRIBUTING.md has tools/build_python.sh install.
set -eu
case "${1:-}" in --free-threaded) kind=t ;; *) kind= ;; esac
for minor in 10 11 12 13 14; do
  for candidate in "$(command -v "python3.$minor$kind" || true)" "$HOME"/.pyenv/versions/3.$minor.*[0-9]$kind/bin/python3 \
    "/opt/python3.$minor$kind/bin/python3"; do
    if [ -n "$candidate" ] && "$candidate" -c 'import venv, ensurepip' 2>/dev/null; then
      "$candidate" -c 'import sys; print(sys.executable)'
      break
    fi
  done
done
