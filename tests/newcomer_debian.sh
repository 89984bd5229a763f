#!/bin/sh
# Follows the README's set-up in another release of Debian, in a folder of its own: for Pythons and compilers newer than the
# system's.
#     tests/newcomer_debian.sh sid /opt/sid 3.14                             as a newcomer has it
#     tests/newcomer_debian.sh sid /opt/sid 3.14 --shared ../shared          with the texts and vocabs there
#     tests/newcomer_debian.sh sid /opt/sid 3.14 "make test-all PYTHON=python3.14"    another command in a clone
# Runs as root on Debian or Ubuntu, with debootstrap (a minute the first time, and 1 GB of disk). Changes nothing outside the
# folder, where pip has this system's settings and certificates.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
suite=${1:?"the release, such as sid"}
root=${2:?"the folder to install it in, such as /opt/sid"}
version=${3:?"the version of Python, such as 3.14"}
shift 3
shared=
if [ "${1:-}" = --shared ]; then
  shared=$(cd "$2" && pwd)
  shift 2
fi
command=${1:-"tests/newcomer.sh ${shared:+--shared /root/shared} /usr/bin/python$version"}

if [ ! -e "$root/.installed" ]; then
  debootstrap --variant=minbase --include=ca-certificates,g++,git,make "$suite" "$root" "${MIRROR:-http://deb.debian.org/debian}"
  touch "$root/.installed"
fi
rm -rf "$root/root/wordsplit"
git clone -q "$here" "$root/root/wordsplit"
for file in /etc/pip.conf /etc/ssl/certs/ca-certificates.crt /etc/resolv.conf; do
  if [ -e "$file" ]; then cp "$file" "$root$file"; fi
done
mkdir -p "$root/root/shared"

# What is mounted here is gone with the process.
unshare --mount sh -eu -c '
  root=$1 shared=$2 version=$3 command=$4
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  if [ -n "$shared" ]; then mount --bind -o ro "$shared" "$root/root/shared"; fi
  exec chroot "$root" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin sh -eu -c "
    apt-get install -yq --no-install-recommends python$version-dev python$version-venv >/dev/null
    cd /root/wordsplit
    $command"
' - "$root" "$shared" "$version" "$command"
