#!/bin/sh
# Builds a CPython from Debian's source package: for Pythons that the system does not offer, the free-threaded ones above all.
#     tools/build_python.sh 3.13t /opt/python3.13t
#     tools/build_python.sh 3.14 /opt/python3.14
# A "t" after the version asks for the free-threaded build. Runs as root on Debian or Ubuntu, with Debian's archive keyring. The
# newest source of the version that Debian's mirror holds is taken; apt checks it against Debian's signed index. JOBS=4 compiles
# faster.
# The build has no profile-guided optimization: it tests the package, it does not measure it.
set -eu
version=${1:?"the version, such as 3.14 or 3.13t"}
prefix=${2:?"the folder to install into, such as /opt/python3.13t"}
release=${version%t}
case $version in *t) gil=--disable-gil ;; *) gil= ;; esac
keyring=${KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}
mirror=${MIRROR:-http://deb.debian.org/debian}

if [ -x "$prefix/bin/python3" ]; then
  echo "$prefix has a Python already: $("$prefix/bin/python3" -VV)"
  exit 0
fi

# Without these libraries' headers, modules that pip needs are left out of the build in silence.
apt-get install -yq --no-install-recommends build-essential dpkg-dev pkg-config xz-utils libssl-dev zlib1g-dev libffi-dev \
  libbz2-dev liblzma-dev libsqlite3-dev libreadline-dev >/dev/null

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work" # apt downloads as a user of its own
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/source"
chown _apt "$work/source"
for suite in trixie forky sid; do
  echo "deb-src [signed-by=$keyring] $mirror $suite main"
done >"$work/sources.list"
apt_with_sources() { # the system's own lists are not touched
  command=$1
  shift
  "$command" -q -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$work/lists" \
    -o Dir::Cache="$work/cache" "$@"
}
apt_with_sources apt-get update
cd "$work/source"
# A mirror may lack the newest file that the index names, or have dropped the oldest.
for source in $(apt_with_sources apt-cache madison "python$release" | awk '$NF == "Sources" { print $3 }' | sort -ruV); do
  apt_with_sources apt-get source --download-only "python$release=$source" && break
done
ls "python${release}_"*.orig.tar.xz >/dev/null 2>&1 || { echo "no source of Python $release at $mirror"; exit 1; }
tar -xJf "python${release}_"*.orig.tar.xz --strip-components 1

# Debian's patches are left out: they arrange its own folders.
# shellcheck disable=SC2086 # no GIL option, no argument
./configure -q --prefix="$prefix" $gil --disable-test-modules --with-ensurepip=install OPT="-DNDEBUG -O2"
make -s -j"${JOBS:-1}"
make -s install >/dev/null
"$prefix/bin/python3" -c "import ssl, sqlite3, ctypes, lzma, bz2, zlib, venv" # what was left out shows here
"$prefix/bin/python3" -VV
