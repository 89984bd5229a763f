#!/bin/sh
# Follows the README's set-up by the letter: a fresh clone, an empty home, no environment, no ../shared.
# Usage: tests/newcomer.sh [--shared FOLDER] [--every | --newest | PYTHON ...]; by default the oldest and the newest
# supported Python that is installed. Prints a table of what passed and how long it took; the first failure ends it.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
shared=
if [ "${1:-}" = --shared ]; then
  shared=$(cd "$2" && pwd)
  shift 2
fi

case "${1:-}" in
  --every) set -- $("$here/tools/installed_pythons.sh") ;;
  --newest) set -- $("$here/tools/installed_pythons.sh" | tail -n 1) ;;
  "") set -- $("$here/tools/installed_pythons.sh" | sed -n '1p;$p' | uniq) ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
table=
for python in "$@"; do
  cd "$here"
  rm -rf "$work/home"
  mkdir -p "$work/home/bin"
  ln -s "$python" "$work/home/bin/python3"
  if [ -n "$shared" ]; then ln -s "$shared" "$work/home/shared"; fi
  git clone -q "$here" "$work/home/wordsplit"
  cd "$work/home/wordsplit"
  "$python" -m venv "$work/home/venv"
  bare() { env -i HOME="$work/home" LANG=C.UTF-8 PATH="$1:/usr/local/bin:/usr/bin:/bin" sh -c "$2"; }
  begin=$(date +%s)
  found=$(bare "$work/home/venv/bin" 'pip install -q --disable-pip-version-check . && wordsplit encode "hello world"')
  [ "$found" = "14990 1879" ] || { echo "wordsplit encode \"hello world\" printed: $found"; exit 1; }
  middle=$(date +%s)
  { bare "$work/home/bin" 'make test' || touch "$work/failed"; } 2>&1 | tee "$work/log"
  if [ -e "$work/failed" ]; then exit 1; fi
  end=$(date +%s)
  table="$table$("$python" -c 'import platform; print(platform.python_version())') | $([ -n "$shared" ] && echo with || echo without) \
| $((middle - begin)) s | $((end - middle)) s | $(tail -n 1 "$work/log")
"
done
printf 'Python | ../shared | pip install | make test | result\n%s' "$table"
