#!/bin/sh
# Installs the command fuzzy-edit @VERSION@ into ~/.local/bin, or into the folder that FUZZY_EDIT_BIN names.
set -eu

version='@VERSION@'
from='@FROM@'

fail() {
    echo "error: $1" >&2
    exit 1
}

fetch() {
    if command -v curl >/dev/null; then
        # A redirection must not lead to a connection without encryption.
        curl --fail --silent --show-error --location --proto-redir '=https' --output "$2" "$1"
    elif command -v wget >/dev/null; then
        wget --quiet --output-document "$2" "$1"
    else
        fail 'neither curl nor wget is installed'
    fi
}

sum_of() {
    if command -v sha256sum >/dev/null; then
        sha256sum "$1"
    else
        shasum -a 256 "$1"
    fi | cut -d ' ' -f 1
}

# A function, so that a script that arrives in part does nothing.
main() {
    case "$(uname -s) $(uname -m)" in
    'Linux x86_64') target=x86_64-unknown-linux-musl sum='@SHA256 x86_64-unknown-linux-musl@' ;;
    'Linux aarch64' | 'Linux arm64') target=aarch64-unknown-linux-musl sum='@SHA256 aarch64-unknown-linux-musl@' ;;
    'Darwin x86_64') target=x86_64-apple-darwin sum='@SHA256 x86_64-apple-darwin@' ;;
    'Darwin arm64') target=aarch64-apple-darwin sum='@SHA256 aarch64-apple-darwin@' ;;
    *) fail "there is no command for $(uname -s) on $(uname -m): cargo install fuzzy-edit-cli builds it" ;;
    esac
    bin=${FUZZY_EDIT_BIN:-"$HOME/.local/bin"}
    name=fuzzy-edit-$version-$target
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    fetch "$from/$name.tar.gz" "$folder/$name.tar.gz"
    test "$(sum_of "$folder/$name.tar.gz")" = "$sum" || fail "$from/$name.tar.gz is not what was released"
    tar -xzf "$folder/$name.tar.gz" -C "$folder"
    mkdir -p "$bin"
    # A command that runs cannot be overwritten, only replaced.
    cp "$folder/$name/fuzzy-edit" "$bin/.fuzzy-edit.$$"
    mv -f "$bin/.fuzzy-edit.$$" "$bin/fuzzy-edit"
    echo "installed $("$bin/fuzzy-edit" --version) as $bin/fuzzy-edit"
    case ":$PATH:" in
    *":$bin:"*) ;;
    *) echo "$bin is not in PATH" ;;
    esac
}

main
