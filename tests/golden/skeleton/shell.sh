#!/usr/bin/env bash
# Makes a release: checks, builds, packs.

set -euo pipefail

readonly VERSION="${1:?usage: release.sh VERSION}"
OUT=${OUT:-dist}

TARGETS=(
    x86_64-linux
    aarch64-linux
    riscv64-linux
    x86_64-darwin
    aarch64-darwin
    x86_64-windows
    aarch64-windows
    x86_64-freebsd
    aarch64-freebsd
    x86_64-netbsd
    x86_64-openbsd
    wasm32-wasi
    wasm32-browser
)

. ./lib/log.sh

# Prints how to use this.
usage() {
    cat <<EOF
usage: release.sh VERSION
    }
OUT is where things go ($OUT).
EOF
}

# Stops with a message.
die() { echo "$*" >&2; exit 1; }

function check {
    local tool
    for tool in git tar sha256sum; do
        command -v "$tool" >/dev/null || die "no $tool"
    done
    if [[ -n $(git status --porcelain) ]]; then
        die "there are changes"
    fi
}

build()
{
    local target=$1 log
    log=$(mktemp)
    case $target in
        *-windows) suffix=.exe ;;
        *) suffix= ;;
    esac
    make TARGET="$target" SUFFIX="$suffix" >"$log" 2>&1 || {
        cat "$log"
        return 1
    }
}

# In a subshell, so that the directory does not change.
pack() (
    cd "$OUT/$1"
    tar czf "../release-$VERSION-$1.tar.gz" -- *
    sha256sum "../release-$VERSION-$1.tar.gz" |
        sed 's|\.\./||' >>../SHA256SUMS
)

cleanup() {
    rm -rf "$OUT/tmp"
}
trap cleanup EXIT

check
for target in "${TARGETS[@]}"; do
    build "$target" && pack "$target"
done
