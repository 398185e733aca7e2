#!/usr/bin/env bash
# Makes a release: checks, builds, packs.

set -euo pipefail

readonly VERSION="${1:?usage: release.sh VERSION}"
OUT=${OUT:-dist}

TARGETS=(
    x86_64-linux
    aarch64-linux
    riscv64-linux
    # ... (10 lines)
)

. ./lib/log.sh

# Prints how to use this.
usage() {
    : # ... (5 lines)
}

# Stops with a message.
die() { echo "$*" >&2; exit 1; }

function check {
    : # ... (7 lines)
}

build()
{
    : # ... (10 lines)
}

# In a subshell, so that the directory does not change.
pack() (
    : # ... (4 lines)
)

cleanup() {
    rm -rf "$OUT/tmp"
}
trap cleanup EXIT

check
for target in "${TARGETS[@]}"; do
    build "$target" && pack "$target"
done
