"""Makes the artefacts of a release in the folder dist, or installs and uses them (--try-out).

The folder is flat: one or more files for each artefact, and the sums of all files.
"""

import argparse
import contextlib
import functools
import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import sys

import notices
from common import CARGO, ROOT, TARGET, VERSION, WORKSPACE, environment, read, require, run

#: The features of the released command: every verb. Tables of Parquet and stores in Postgres are excluded, because few
#: people use them, they are about a tenth of the command, and only they need frameworks of macOS.
RELEASED = "edit,checkpoint,mcp,serve,playground"
#: The targets of the command. Each has the platforms of its npm and Python packages: the Rust target of a library,
#: the oldest system in the tag of a wheel (none: no wheel and no native Node module), and npm's system, processor and
#: C library.
TARGETS = {
    "x86_64-unknown-linux-musl": [
        ("x86_64-unknown-linux-gnu", "manylinux_2_17", ("linux", "x64", "glibc")),
        ("x86_64-unknown-linux-musl", "musllinux_1_2", ("linux", "x64", "musl")),
    ],
    "aarch64-unknown-linux-musl": [
        ("aarch64-unknown-linux-gnu", "manylinux_2_17", ("linux", "arm64", "glibc")),
        ("aarch64-unknown-linux-musl", "musllinux_1_2", ("linux", "arm64", "musl")),
    ],
    "x86_64-apple-darwin": [("x86_64-apple-darwin", "macosx_10_12", ("darwin", "x64", None))],
    "aarch64-apple-darwin": [("aarch64-apple-darwin", "macosx_11_0", ("darwin", "arm64", None))],
    "x86_64-pc-windows-gnu": [("x86_64-pc-windows-gnu", "win", ("win32", "x64", None))],
    "aarch64-pc-windows-gnullvm": [("aarch64-pc-windows-gnullvm", None, ("win32", "arm64", None))],
}
HERE = f"{platform.machine()}-unknown-linux-musl"
WASM = "wasm32-unknown-unknown"
SUMS = "SHA256SUMS"
#: The largest permitted wheel, most of which is the command, and the largest main npm package, in bytes.
LARGEST_WHEEL, LARGEST_PACKAGE = 12_000_000, 100_000
#: The optimiser for WebAssembly, of the measured major, and the features that the engine uses beside version 1.
OPTIMISER = "binaryen@132"
FEATURES = "bulk-memory multivalue mutable-globals nontrapping-float-to-int reference-types sign-ext simd".split()
#: The modules of the engine. Patches are separate: a fifth of the size, and many users do not need them.
MODULES = {"fuzzy_edit.wasm": "", "fuzzy_edit_patch.wasm": "patches"}
PYTHON, PLUGIN = ROOT / "bindings/python", ROOT / "integrations/opencode"
NPM = {"fuzzy-edit": ROOT / "bindings/node/package", "fuzzy-edit-wasm": ROOT / "bindings/node/wasm-package"}
INSTALLERS = ["install.sh", "install.ps1", "fuzzy-edit.rb", "scoop.json"]
INSTALLERS += [f"winget/fuzzy-edit.fuzzy-edit{part}.yaml" for part in ("", ".installer", ".locale.en-US")]


def suffix(target):
    return ".exe" if "windows" in target else ""


def package_name(names):
    return "fuzzy-edit-{}-{}{}".format(*names[:2], "-musl" if names[2] == "musl" else "")


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


class Build:
    """The artefacts of one target: as released, or unoptimised for this machine."""

    def __init__(self, target, debug):
        self.target, self.debug, self.platforms = target, debug, TARGETS[target]
        self.profile, self.folder = ("dev", "debug") if debug else ("dist", "dist")
        self.parts = TARGET / "dist-parts" / self.folder
        self.linked = ("fuzzy-edit-cli", RELEASED, target)

    def cargo(self, verb, target, *arguments, **variables):
        """Runs cargo for a target, with Zig or mingw as the compiler and the linker of C."""
        has_target(target)
        provide_linker(self.target)
        cargo = [CARGO, verb] if self.target.endswith("windows-gnu") else ["cargo-zigbuild", verb]
        # The oldest supported glibc, in the notation of Zig.
        versioned = f"{target}.2.17" if target.endswith("linux-gnu") else target
        # The command prints it with its version.
        commit = {"FUZZY_EDIT_COMMIT": read("git", "rev-parse", "HEAD", cwd=ROOT).strip()}
        run(*cargo, "--locked", "--target", versioned, *arguments, cwd=ROOT, env=os.environ | commit | variables)
        return TARGET / target / self.folder

    def check(self):
        self.cargo("check", self.target, "--package=fuzzy-edit-cli", "--no-default-features", "--features", RELEASED)

    def command(self):
        """Builds the command, and returns its file; unoptimised, it is the command of the other suites, stripped."""
        if self.debug:
            for_tests("--bin", "fuzzy-edit")
            stripped = self.parts / "stripped/fuzzy-edit"
            stripped.parent.mkdir(parents=True, exist_ok=True)
            run("strip", "-o", stripped, TARGET / "debug/fuzzy-edit")
            return stripped
        select = ["--package=fuzzy-edit-cli", "--no-default-features", "--features", RELEASED, "--bin=fuzzy-edit"]
        options = ["--profile=dist", "--config", "profile.dist.strip=true", *frameworks(self.target)]
        # The page of the playground contains the engine.
        folder = self.cargo("rustc", self.target, *select, *options, FUZZY_PLAYGROUND_ENGINE=str(engine("wasm")))
        return folder / f"fuzzy-edit{suffix(self.target)}"

    def module(self, target):
        """Builds the native Node module for a platform, and returns its file."""
        if self.debug:
            for_tests("--lib")
            return TARGET / "debug/libfuzzy_edit_napi.so"
        variables = {}
        if target.endswith("-musl"):
            # The module uses the musl of the program that loads it.
            flags = f"CARGO_TARGET_{target.upper().replace('-', '_')}_RUSTFLAGS"
            variables[flags] = "-C target-feature=-crt-static"
        if target.endswith("windows-gnu"):
            # The build looks for the first, the linker takes the second; the symbols are those of the running program.
            node = TARGET / "libnode"
            node.mkdir(exist_ok=True)
            (node / "libnode.dll").write_text("")
            (node / "libnode.a").write_text("!<arch>\n")
            variables["LIBNODE_PATH"] = str(node)
        select = ["--package=fuzzy-edit-napi", "--lib", "--profile=dist", "--config", "profile.dist.strip=true"]
        folder = self.cargo("rustc", target, *select, *frameworks(self.target), **variables)
        names = ("libfuzzy_edit_napi.so", "libfuzzy_edit_napi.dylib", "fuzzy_edit_napi.dll")
        return next(folder / name for name in names if (folder / name).is_file())

    def archive(self):
        name = f"fuzzy-edit-{VERSION}-{self.target}"
        folder = fresh(self.parts / "archives" / name)
        shutil.copy(self.command(), folder / f"fuzzy-edit{suffix(self.target)}")
        notices.put(folder, [self.linked])
        here = Build(HERE, self.debug).command()
        shells = {"bash": "fuzzy-edit.bash", "zsh": "_fuzzy-edit", "fish": "fuzzy-edit.fish"}
        shells |= {"elvish": "fuzzy-edit.elv", "powershell": "_fuzzy-edit.ps1"}
        texts = {f"completions/{file}": ["completions", shell] for shell, file in shells.items()}
        verbs = re.findall(r"^  (\S+)", read(here, "help").split("Commands:\n")[1].split("\n\n")[0], re.M)
        texts |= {f"man/man1/fuzzy-edit-{verb}.1": ["man", verb] for verb in verbs if verb != "help"}
        texts["man/man1/fuzzy-edit.1"] = ["man"]
        for file, arguments in texts.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(read(here, *arguments))
        if suffix(self.target):
            return [shutil.make_archive(folder, "zip", folder.parent, name)]
        archive = folder.parent / f"{name}.tar.gz"
        # The options make the archive reproducible.
        same = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"]
        run("tar", "--create", "--gzip", *same, "--file", archive, name, cwd=folder.parent)
        return [archive]

    def wheel(self):
        """Makes a wheel for each C library of the system; for this machine, also the sources."""
        platforms = [(target, oldest) for target, oldest, _ in self.platforms if oldest]
        files = [self.wheel_for(*it) for it in platforms[: 1 if self.debug else None]]
        if self.target == HERE:
            # A build from the sources has to add the notices of the crates that it links.
            with licensed(PYTHON, None):
                files.append(maturin("sdist", "--out", fresh(self.parts / "sources")))
        return files

    def wheel_for(self, target, oldest):
        # Maturin installs these files outside the package. A native command starts faster than a Python script.
        data = PYTHON / "fuzzy_edit._native.data"
        (data / "scripts").mkdir(parents=True, exist_ok=True)
        shutil.copy(self.command(), data / f"scripts/fuzzy-edit{suffix(self.target)}")
        to, variables = fresh(self.parts / "wheels" / target), {}
        arguments = ["build", "--quiet", "--profile", self.profile, "--out", to]
        if self.debug:
            arguments += ["--features", "failpoints", "--interpreter", python_tools() / "python"]
        else:
            has_target(target)
            provide_linker(self.target)
            arguments += ["--target", target] + ["--zig"] * (not target.endswith("windows-gnu"))
            if oldest.startswith("macosx_"):
                variables["MACOSX_DEPLOYMENT_TARGET"] = oldest.removeprefix("macosx_").replace("_", ".")
            elif "linux" in oldest:
                arguments += ["--compatibility", oldest]
            arguments += frameworks(self.target)
        with licensed(PYTHON, [self.linked, ("fuzzy-edit-python", "", target)]):
            wheel = maturin(*arguments, env=os.environ | variables)
        # Other builds of the package do not contain the command.
        shutil.rmtree(data)
        is_small(wheel, LARGEST_WHEEL, not self.debug)
        return wheel

    def npm(self):
        """Makes the packages for the platforms; for this machine, also those that are the same on all platforms."""
        tarballs = self.library() + [self.plugin()] if self.target == HERE else []
        for target, oldest, names in self.platforms[: 1 if self.debug else None]:
            files = {f"fuzzy-edit{suffix(self.target)}": self.command()}
            if oldest:
                files["fuzzy_edit.node"] = self.module(target)
            linked = [self.linked, ("fuzzy-edit-napi", "", target)]
            tarballs.append(self.pack(self.platform_package(names, files, linked)))
        return tarballs

    def library(self):
        """Makes the main package and the engine in WebAssembly."""
        tarballs = []
        for name, source in NPM.items():
            folder = copied(source, self.parts / "npm" / name)
            wasm = name == "fuzzy-edit-wasm"
            # The main package contains no compiled code.
            notices.put(folder, [("fuzzy-edit-wasm", "patches", WASM)] if wasm else None)
            # The types for `require` are the types for `import`.
            for types in ("index", "load"):
                text = (folder / f"{types}.d.ts").read_text()
                (folder / f"{types}.d.cts").write_text(text.replace("./index.js", "./index.cjs"))
            for module, features in MODULES.items() if wasm else ():
                built = engine("dev" if self.debug else "wasm", features)
                if self.debug:
                    shutil.copy(built, folder / module)
                    continue
                optimise = ["npm", "exec", "--yes", "--package", OPTIMISER, "--", "wasm-opt", "-Oz"]
                optimise += [f"--enable-{feature}" for feature in FEATURES]
                run(*optimise, "--strip-producers", "--strip-target-features", built, "-o", folder / module)
            tarballs.append(self.pack(folder))
        is_small(tarballs[0], LARGEST_PACKAGE)
        return tarballs

    def library_here(self):
        """Makes the packages that the library needs on this machine, without the command."""
        target, _, names = self.platforms[0]
        # Optimised for this machine alone: no linker for another system.
        if not self.debug:
            run(CARGO, "build", "--quiet", "--package=fuzzy-edit-napi", "--profile=dist", cwd=ROOT)
        module = self.module(target) if self.debug else TARGET / "dist/libfuzzy_edit_napi.so"
        return self.library() + [self.pack(self.platform_package(names, {"fuzzy_edit.node": module}))]

    def platform_package(self, names, files, linked=None):
        folder = fresh(self.parts / "npm" / package_name(names))
        main = json.loads((NPM["fuzzy-edit"] / "package.json").read_text())
        manifest = {key: main[key] for key in ("homepage", "repository", "bugs")}
        system, processor, library = names
        manifest |= {"name": folder.name, "version": VERSION, "license": "MIT OR Apache-2.0"}
        about = "the command, and the module that Node loads."
        manifest |= {
            "description": f"fuzzy-edit for {system} on {processor}: {about}",
            "os": [system],
            "cpu": [processor],
        }
        # Yarn does not unpack other packages, and a program in an archive cannot be started.
        manifest["preferUnplugged"] = True
        if library:
            manifest["libc"] = [library]
        (folder / "package.json").write_text(json.dumps(manifest, indent=2, sort_keys=True) + "\n")
        notices.put(folder, linked)
        for name, file in files.items():
            shutil.copy(file, folder / name)
        return folder

    def plugin(self):
        folder = copied(PLUGIN, self.parts / "npm/opencode-fuzzy-edit")
        notices.put(folder)
        return self.pack(folder)

    def pack(self, folder):
        into = folder.parent
        return into / read("npm", "pack", "--silent", "--pack-destination", into, cwd=folder).split()[-1]


def has_target(target):
    """Finds the standard library for a target, otherwise installs it."""
    if not pathlib.Path(read("rustc", "--print", "target-libdir", "--target", target).strip()).is_dir():
        run("rustup", "target", "add", target)


def provide_linker(target):
    """Ends the script if no program in the path compiles C for a target."""
    if target.endswith("windows-gnu"):
        require(shutil.which("x86_64-w64-mingw32-gcc"), "no compiler for Windows: install gcc-mingw-w64-x86-64")
        return
    require(shutil.which("cargo-zigbuild"), "no cargo-zigbuild in the path: run `cargo xtask dist`, which installs it")


def frameworks(target):
    """Returns the last arguments for macOS: they find a stub of a framework, whose symbols the wheel does not use."""
    return ["--", "-C", f"link-arg=-F{ROOT / 'xtask/frameworks'}"] if target.endswith("-apple-darwin") else []


@functools.cache
def for_tests(*selected):
    """Builds once what the tests of the workspace have built, with every feature and failpoints."""
    members = WORKSPACE["packages"]
    features = [f"{it['name']}/{name}" for it in members for name in sorted(it["features"]) if name != "default"]
    select = ["--workspace", "--features", ",".join(features), "--quiet", *selected, "--test", "registered"]
    run(CARGO, "build", *select, cwd=ROOT)


def engine(profile, features=""):
    """Builds the engine in WebAssembly, and returns its file."""
    has_target(WASM)
    select = ["--package=fuzzy-edit-wasm", "--lib", "--target", WASM, "--profile", profile, "--features", features]
    # The symbols in an unoptimised module are five times as large as the code.
    run(CARGO, "build", "--quiet", *select, "--config", "profile.dev.strip='symbols'", cwd=ROOT)
    return TARGET / WASM / ("debug" if profile == "dev" else profile) / "fuzzy_edit_wasm.wasm"


def python_tools():
    return environment("bindings/python/requirements-build.txt")


def maturin(*arguments, **options):
    """Runs maturin, and returns the file that it makes."""
    run(python_tools() / "maturin", *arguments, cwd=PYTHON, **options)
    out = arguments[arguments.index("--out") + 1]
    return next(out.iterdir())


@contextlib.contextmanager
def licensed(folder, linked):
    """Puts the licences into the source folder of a package while it is built."""
    notices.put(folder, linked)
    try:
        yield
    finally:
        for name in [*notices.OURS, notices.NAME]:
            (folder / name).unlink(missing_ok=True)


def copied(source, to):
    """Copies a source folder without its tests."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(source, to, ignore=lambda _, names: {"test", "bench", "node_modules"} & set(names))
    return to


def is_small(file, largest, applies=True):
    size = file.stat().st_size
    require(size < largest or not applies, f"{file} has {size} bytes, {largest} are allowed")


def files(folder):
    return sorted(path for path in folder.iterdir() if path.name != SUMS)


def sums(folder):
    """Returns the sums of all files, in the format of `sha256sum --check`."""
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files(folder))


def installers(folder, address):
    """Makes the scripts and manifests that install a release from its address."""
    # The address is inserted between quotes of several languages.
    is_plain = re.fullmatch(r"[A-Za-z0-9:/._~%+-]*[A-Za-z0-9:._~%+-]", address)
    require(is_plain, f"{address!r} is not the address of a folder")
    # The sums are of the archives of this version only.
    known = {"VERSION": VERSION, "FROM": address, "HOMEPAGE": address.split("/releases/")[0]}
    for target in TARGETS:
        archive = folder / f"fuzzy-edit-{VERSION}-{target}.{'zip' if suffix(target) else 'tar.gz'}"
        require(archive.is_file(), f"there is no {archive.name}; `cargo xtask dist archive --all-targets` makes it")
        known[f"SHA256 {target}"] = hashlib.sha256(archive.read_bytes()).hexdigest()
    for name in INSTALLERS:
        text = (ROOT / "packaging" / name).read_text()
        text = re.sub(r"@([A-Z0-9]+(?: [a-z0-9_-]+)?)@", lambda gap: known[gap[1]], text)
        require("@" not in text, f"packaging/{name} has an unknown placeholder")
        (folder / pathlib.Path(name).name).write_text(text)


#: The artefacts, and the names of their files.
ARTEFACTS = {
    "archive": r"fuzzy-edit-.*\.(tar\.gz|zip)",
    "wheel": r".*\.whl|fuzzy_edit-.*\.tar\.gz",
    "npm": r".*\.tgz",
}


def arguments():
    parser = argparse.ArgumentParser("cargo xtask dist", description=__doc__.splitlines()[0])
    parser.add_argument("artefacts", nargs="*", help=f"the artefacts to make, of {', '.join(ARTEFACTS)}; default: all")
    parser.add_argument("--try-out", action="store_true", help="install and use the artefacts for this machine instead")
    parser.add_argument(
        "--target", action="append", choices=TARGETS, help="make them for this system, beside existing ones"
    )
    parser.add_argument("--all-targets", action="store_true", help="make them for every system")
    parser.add_argument("--check", action="store_true", help="only check that the command compiles for the systems")
    parser.add_argument(
        "--debug", action="store_true", help="unoptimised, for this machine, in the folder target/tried"
    )
    parser.add_argument("--packages", choices=["library", "plugin"], help="only print the paths of packages for tests")
    parser.add_argument(
        "--from", dest="address", metavar="URL", help="also make the installers of a release at this URL"
    )
    parser.add_argument("--folder", type=pathlib.Path, help="the folder of the artefacts; default: dist")
    chosen = parser.parse_args()
    unknown = set(chosen.artefacts) - set(ARTEFACTS)
    if unknown:
        parser.error(f"no artefact {', '.join(unknown)}")
    if chosen.try_out and (chosen.target or chosen.all_targets or chosen.address):
        parser.error("--try-out uses the artefacts for this machine, without other options")
    return chosen


def main():
    chosen = arguments()
    targets = chosen.target or (list(TARGETS) if chosen.all_targets else [HERE])
    if chosen.check:
        for target in targets:
            Build(target, False).check()
        return
    if chosen.packages:
        build = Build(HERE, chosen.debug)
        made = build.library_here() if chosen.packages == "library" else [build.plugin()]
        print("made:", *made, sep="\n")
        return
    folder = (chosen.folder or (TARGET / "tried/debug" if chosen.debug else ROOT / "dist")).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    names = [name for name in ARTEFACTS if name in chosen.artefacts or not chosen.artefacts]
    if chosen.try_out:
        require((folder / SUMS).is_file(), f"there is no {folder / SUMS}; `cargo xtask dist` makes it")
        require((folder / SUMS).read_text() == sums(folder), f"{SUMS} is not of the files in the folder")
        run(sys.executable, ROOT / "tools/try_out.py", *["--debug"] * chosen.debug, folder, *names)
        return
    for name in names:
        if not chosen.target:
            for file in files(folder):
                if re.fullmatch(ARTEFACTS[name], file.name):
                    file.unlink()
        for target in targets:
            print(f"\n==> {name} for {target}", flush=True)
            for file in map(pathlib.Path, getattr(Build(target, chosen.debug), name)()):
                shutil.copy(file, folder)
                print(f"{file.name}: {file.stat().st_size} bytes")
    if chosen.address:
        installers(folder, chosen.address)
    (folder / SUMS).write_text(sums(folder))
    print((folder / SUMS).read_text(), end="")


if __name__ == "__main__":
    main()
