#!/usr/bin/env bash
# Installs the artefacts for this system from a folder and edits a file with each: `try-out.sh DIST`.
set -euo pipefail

dist=$(cd "$1" && pwd)
folder=$(mktemp -d)
cd "$folder"

edits() {
    printf 'def total(cart):\n\treturn sum(cart)\n' >cart.py
    "$@" apply cart.py --old '    return sum(cart)' --new '    return 0'
    grep -q "$(printf '^\treturn 0')" cart.py
    echo "ok: $*"
}

suffix=''
case "$(uname -s) $(uname -m)" in
'Linux x86_64') target=x86_64-unknown-linux-musl package=fuzzy-edit-linux-x64 ;;
'Linux aarch64') target=aarch64-unknown-linux-musl package=fuzzy-edit-linux-arm64 ;;
'Darwin x86_64') target=x86_64-apple-darwin package=fuzzy-edit-darwin-x64 ;;
'Darwin arm64') target=aarch64-apple-darwin package=fuzzy-edit-darwin-arm64 ;;
*) target=x86_64-pc-windows-gnu package=fuzzy-edit-win32-x64 suffix=.exe ;;
esac

# The archive.
if [ -n "$suffix" ]; then
    python -m zipfile -e "$dist"/fuzzy-edit-*-"$target".zip .
else
    tar -xzf "$dist"/fuzzy-edit-*-"$target".tar.gz
fi
edits "$(echo fuzzy-edit-*-"$target")/fuzzy-edit$suffix"

# The wheel.
python3 -m venv venv
programs=venv/bin
if [ -n "$suffix" ]; then programs=venv/Scripts; fi
"$programs/python" -m pip install --quiet --no-index --find-links "$dist" fuzzy-edit
edits "$programs/fuzzy-edit$suffix"
edits "$programs/python" -m fuzzy_edit
"$programs/python" -c 'import fuzzy_edit; assert fuzzy_edit.apply("a  b", "a b", "c").ok'

# The packages for npm.
npm init --yes >npm.log
npm install --no-audit --no-fund --silent --omit=optional "$dist"/fuzzy-edit-[0-9]*.tgz "$dist"/fuzzy-edit-wasm-*.tgz \
    "$(echo "$dist"/"$package"-[0-9]*.tgz)"
edits npx fuzzy-edit
node -e '
    const { apply, backend } = require("fuzzy-edit");
    if (backend !== "native" || !apply("a  b", "a b", "c").ok) throw new Error(backend);'
