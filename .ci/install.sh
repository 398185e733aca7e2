#!/bin/sh
# Installs the newest release: curl -LsSf URL/install.sh | sh
# TEDDY_RELEASES is the address of the releases page; the release workflow fills in the default.
set -eu
releases=${TEDDY_RELEASES:-@RELEASES@}
to=${TEDDY_INSTALL_DIR:-$HOME/.local/bin}
case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) target=x86_64-unknown-linux-gnu ;;
    Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-gnu ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    *)
        echo "no build for $(uname -s) $(uname -m); use: cargo install teddy" >&2
        exit 1
        ;;
esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
for file in "teddy-$target.tar.gz" "teddy-$target.tar.gz.sha256"; do
    curl -fLsSO "$releases/latest/download/$file"
done
if command -v sha256sum >/dev/null; then sha256sum -c "teddy-$target.tar.gz.sha256"; else shasum -a 256 -c "teddy-$target.tar.gz.sha256"; fi
tar -xzf "teddy-$target.tar.gz"
mkdir -p "$to"
install -m 755 "teddy-$target/teddy" "$to/teddy"
echo "installed $to/teddy"
