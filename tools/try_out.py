"""Installs the artefacts for this machine as users do, and uses them."""

import contextlib
import hashlib
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import urllib.parse
import urllib.request
import zipfile

import notices
from common import CARGO, ROOT, TARGET, VERSION, environment, read, require, run
from dist import HERE, INSTALLERS, RELEASED, TARGETS, package_name, suffix
from dist import installers as fill

#: The absolute path, because the programs that it starts have another `PATH`.
UNSHARE = "/usr/bin/unshare"
BEFORE, AFTER = "def total(cart):\n\treturn sum(cart)\n", "def total(cart):\n\treturn 0\n"
EDIT = ["apply", "cart.py", "--old", "    return sum(cart)", "--new", "    return 0"]
LICENCES = [*notices.OURS, notices.NAME]


def main():
    """Tries out artefacts: `try_out.py [--debug] FOLDER ARTEFACT…`; `cargo xtask dist --try-out` starts it."""
    debug, [folder, *names] = "--debug" in sys.argv, [word for word in sys.argv[1:] if word != "--debug"]
    dist = pathlib.Path(folder)
    for name in names:
        print(f"\n==> {name}, tried out", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder).resolve()
            if name == "archive":
                archive(dist, folder, debug)
                installers(folder)
                every_target_has_notices()
            elif name == "wheel":
                wheel(dist, folder, debug)
            else:
                npm(dist, folder, debug)


def at_home(folder):
    """Returns an environment with another home directory."""
    return os.environ | {"HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}


def edits(folder, *command, **variables):
    """Edits a file with a command, gets the help of a verb that not every build contains, and a refusal."""
    options = {"cwd": folder, "env": at_home(folder) | variables}
    (folder / "cart.py").write_text(BEFORE)
    run(*command, *EDIT, **options)
    edited = (folder / "cart.py").read_text()
    require(edited == AFTER, f"the edit made {edited!r}")
    require("--http" in read(*command, "mcp", "--help", **options), "the command is without the verb mcp")
    refused = subprocess.run([*command, "apply", "cart.py", "--old", "return 1", "--new", "return 2"], **options)
    require(refused.returncode == 1, f"a refused edit ended with {refused.returncode}")


def archive(dist, folder, debug):
    """Unpacks the archive, and runs the command in a root directory that contains nothing else, and with git."""
    run("tar", "--extract", "--file", dist / f"fuzzy-edit-{VERSION}-{HERE}.tar.gz", cwd=folder)
    folder /= f"fuzzy-edit-{VERSION}-{HERE}"
    for file in [*LICENCES, "completions/_fuzzy-edit", "man/man1/fuzzy-edit-apply.1"]:
        require((folder / file).is_file() and (folder / file).stat().st_size, f"the archive lacks {file}")
    binary = folder / "fuzzy-edit"
    empty = Root(folder / "empty", binary, debug)
    file = empty.folder / "tree/cart.py"
    file.write_text(BEFORE)
    empty.run("/fuzzy-edit", *EDIT)
    require(file.read_text() == AFTER, f"the edit made {file.read_text()!r}")
    empty.run("/fuzzy-edit", "undo")
    require(file.read_text() == BEFORE, "nothing was undone")
    if not debug:
        # A test build contains no page.
        empty.serves_the_playground()

    root = Root(folder / "with-git", binary, debug)
    root.add(shutil.which("git"))
    # Git needs `/dev/null` for discarded output and `/dev/urandom` for file names.
    (root.folder / "dev").mkdir()
    (root.folder / "dev/null").touch()
    (root.folder / "dev/urandom").write_bytes(os.urandom(4096))
    file = root.folder / "tree/a.txt"
    file.write_text("one\n")
    root.run("/git", "init", "--quiet")
    checkpoint = json.loads(root.run("/fuzzy-edit", "checkpoint", "create", "--json"))["id"]
    file.write_text("two\n")
    root.run("/fuzzy-edit", "checkpoint", "restore", checkpoint, "--yes")
    require(file.read_text() == "one\n", f"the restore left {file.read_text()!r}")
    state = [path for path in (root.folder / "state").rglob("*") if path.is_file()]
    require(any(path.read_bytes().startswith(b"SQLite format 3\0") for path in state), "there is no database of SQLite")


class Root:
    """A folder that is the root of the file system for the programs in it, with the working directory `tree`."""

    def __init__(self, folder, binary, debug):
        self.folder = folder
        (folder / "tree").mkdir(parents=True)
        # A test build needs its libraries.
        self.add(binary) if debug else shutil.copy(binary, folder)

    def add(self, program):
        """Copies a program and the libraries that it is linked to."""
        for library in re.findall(r"(?:^|\s)(/\S+)", read("ldd", program)):
            to = self.folder / library.lstrip("/")
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, to)
        shutil.copy(program, self.folder)

    def command(self, *words):
        # Only root may change its root directory; every user may be root in a new user namespace.
        user = [] if os.getuid() == 0 else ["--map-root-user"]
        return [UNSHARE, *user, "--root", self.folder, "--wd=/tree", *words]

    def run(self, *words):
        variables = {"PATH": "/", "HOME": "/", "XDG_STATE_HOME": "/state", "GIT_CONFIG_NOSYSTEM": "1"}
        return read(*self.command(*words), env=variables)

    def serves_the_playground(self):
        command = self.command("/fuzzy-edit", "playground", "--addr", "127.0.0.1:0")
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={"HOME": "/"}) as server:
            said = server.stdout.readline()
            address = re.fullmatch(r"listening at (http://\S+/)\n", said)
            module = urllib.request.urlopen(f"{address[1]}engine.wasm").read() if address else b""
            server.kill()
        require(module.startswith(b"\0asm\1\0\0\0"), f"the page has no engine: {said!r}, {len(module)} bytes")


def installers(folder):
    """Fills in the installers of a release that has an archive of every target, and runs the one for this machine."""
    release, home = folder / "release", folder / "home"
    inner = release / f"fuzzy-edit-{VERSION}-{HERE}"
    for made in (inner, home):
        made.mkdir(parents=True)
    for target in TARGETS:
        (release / f"fuzzy-edit-{VERSION}-{target}.{'zip' if suffix(target) else 'tar.gz'}").write_text(target)
    (inner / "fuzzy-edit").write_text("#!/bin/sh\necho fuzzy-edit 1.2.3\n")
    archive = f"{inner.name}.tar.gz"
    read("tar", "-czf", archive, "--mode=755", inner.name, cwd=release)
    for address in ("https://a.org/'; rm -rf /", "https://a.org/", "https://a.org/$(x)"):
        with contextlib.suppress(SystemExit):
            fill(release, address)
            raise AssertionError(f"the address {address} is accepted")
    fill(release, "https://a.org/b/releases/download/v1")
    texts = [(release / pathlib.Path(name).name).read_text() for name in INSTALLERS]
    require(not any("@" in text for text in texts), "a placeholder is not filled in")
    scoop = json.loads((release / "scoop.json").read_text())
    require(scoop["homepage"] == "https://a.org/b", f"scoop has the home page {scoop['homepage']}")
    require(re.fullmatch("[0-9a-f]{64}", scoop["architecture"]["64bit"]["hash"]), "scoop lacks the sum")

    fill(release, f"file://{release}")
    variables = {name: value for name, value in os.environ.items() if name != "FUZZY_EDIT_BIN"} | {"HOME": str(home)}
    said = read("sh", release / "install.sh", env=variables)
    command = home / ".local/bin/fuzzy-edit"
    require("installed fuzzy-edit 1.2.3 as " in said and command.is_file(), f"install.sh did not install: {said}")
    command.unlink()
    (release / archive).write_text("another")
    refused = subprocess.run(["sh", release / "install.sh"], env=variables, capture_output=True, text=True)
    is_refused = refused.returncode and "is not what was released" in refused.stderr and not command.exists()
    require(is_refused, f"install.sh accepts another archive: {refused}")


def every_target_has_notices():
    """Makes the notices of every artefact for every system: each licence is accepted, and each text is there."""
    linked = [("fuzzy-edit-cli", RELEASED, target) for target in TARGETS]
    platforms = [target for platforms in TARGETS.values() for target, _, _ in platforms]
    linked += [(package, "", target) for target in platforms for package in ("fuzzy-edit-python", "fuzzy-edit-napi")]
    text = notices.text(linked)
    for name in ("axum", "clap", "memchr", "musl", "napi", "pyo3", "rusqlite", "tokio", "windows-sys"):
        require(re.search(rf"\b{name}[ ,]", text), f"the notices lack {name}")
    require(text.count("Copyright (c) 2015 Andrew Gallant") == 1, "crates with the same licence do not share its text")
    require("fuzzy-core" not in text, "the notices contain our own crates")
    for licence, is_apache in [
        ("MIT/Apache-2.0", True),
        ("Apache-2.0 WITH LLVM-exception OR MIT", True),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", False),
        ("Unlicense OR MIT", False),
    ]:
        require(notices.is_apache(licence) == is_apache, f"the text for {licence} is wrong")
    for licence in ("GPL-3.0", "MIT AND GPL-3.0", ""):
        with contextlib.suppress(SystemExit):
            notices.is_apache(licence)
            raise AssertionError(f"the licence {licence!r} is accepted")


def wheel(dist, folder, debug):
    """Installs the wheel with pip in a new environment, and with `uvx` in a new home directory; checks the sources."""
    run("python3", "-m", "venv", folder / "venv")
    python = folder / "venv/bin/python"
    pip = [python, "-m", "pip", "--disable-pip-version-check"]
    run(*pip, "install", "--quiet", "--no-index", "--find-links", dist, "fuzzy-edit")
    # The working directory is not the source folder, whose package would be imported instead.
    run(python, ROOT / "bindings/python/tests/installed.py", cwd=folder, env=at_home(folder))
    edits(folder, folder / "venv/bin/fuzzy-edit")
    edits(folder, python, "-m", "fuzzy_edit")
    uvx = [shutil.which("uvx"), "--quiet", "--offline", "--no-index", "--find-links", dist]
    edits(folder, *uvx, "--python", python, "fuzzy-edit", UV_CACHE_DIR=str(folder / "uv"))

    wheels, [sources] = sorted(dist.glob("*.whl")), sorted(dist.glob("fuzzy_edit-*.tar.gz"))
    tag = f"manylinux_2_17_{os.uname().machine}"
    require(debug or any(tag in wheel.name for wheel in wheels), f"no wheel is for {tag}")
    for wheel in wheels:
        listed = " ".join(zipfile.ZipFile(wheel).namelist()) + " "
        require(".data/scripts/fuzzy-edit" in listed, f"{wheel.name} lacks the command")
        for file in LICENCES:
            require(f".dist-info/licenses/{file} " in listed, f"{wheel.name} lacks {file}")
    checkers = environment("bindings/python/requirements-check.txt")
    run(checkers / "twine", "--no-color", "check", "--strict", *wheels, sources)
    # A settings file above belongs to the tests.
    run(checkers / "check-wheel-contents", "--no-config", *wheels)

    # The unpacked sources contain everything that they are built from.
    run("tar", "--extract", "--gzip", "--file", sources, "--directory", folder)
    unpacked = folder / sources.name.removesuffix(".tar.gz")
    for file in [*notices.OURS, "python/fuzzy_edit/__init__.pyi", "Cargo.lock"]:
        require((unpacked / file).is_file(), f"{sources.name} lacks {file}")
    read(CARGO, "metadata", "--format-version", "1", cwd=unpacked)
    if not debug:
        tools = environment("bindings/python/requirements-build.txt")
        variables = {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "CARGO_TARGET_DIR": str(TARGET)}
        pip = [tools / "python", "-m", "pip", "--disable-pip-version-check"]
        quick = ["install", "--quiet", "--force-reinstall", "--no-deps", "--no-build-isolation"]
        run(*pip, *quick, sources, cwd=folder, env=os.environ | variables)
        run(tools / "python", ROOT / "bindings/python/tests/installed.py", cwd=folder, env=at_home(folder))
        run(*pip, "uninstall", "--quiet", "--yes", "fuzzy-edit")


def npm(dist, folder, debug):
    """Installs the packages from a registry: the library in a new project, and the command with `npx`."""
    platforms = [package_name(names) for platforms in TARGETS.values() for _, _, names in platforms]
    project = folder / "project"
    project.mkdir()
    (project / "package.json").write_text('{"name": "project", "private": true}')
    with registry(dist) as address:
        variables = {"npm_config_registry": address, "npm_config_cache": str(folder / "cache")}
        variables |= {"npm_config_update_notifier": "false"} | ({} if debug else {"SHIPPED": "1"})
        options = ["--no-audit", "--no-fund", "--ignore-scripts", "--silent", "fuzzy-edit", "opencode-fuzzy-edit"]
        run("npm", "install", *options, cwd=project, env=at_home(folder) | variables)
        # Resolves the packages from the folder of the script.
        shutil.copy(ROOT / "bindings/node/package/test/installed.cjs", project)
        run("node", project / "installed.cjs", cwd=project, env=at_home(folder) | variables)
        modules = project / "node_modules"
        system = {"x86_64": "x64", "aarch64": "arm64"}[os.uname().machine]
        installed = [name for name in platforms if (modules / name).is_dir()]
        require(installed == [f"fuzzy-edit-linux-{system}"], f"npm installed {installed}")
        for name, licences in [("fuzzy-edit", notices.OURS), ("fuzzy-edit-wasm", LICENCES), (installed[0], LICENCES)]:
            for file in licences:
                require((modules / name / file).is_file(), f"{name} lacks {file}")
        main = json.loads((modules / "fuzzy-edit/package.json").read_text())
        require(main["version"] == VERSION, f"the main package has version {main['version']}")
        require(main["dependencies"] == {"fuzzy-edit-wasm": VERSION}, "the main package needs another engine")
        named = dict.fromkeys(platforms, VERSION)
        require(main["optionalDependencies"] == named, f"the main package does not name {', '.join(platforms)}")
        edits(folder, "npx", "-y", "fuzzy-edit", **variables)


@contextlib.contextmanager
def registry(folder):
    """Serves the tarballs of a folder as an npm registry on this machine, and returns its address.

    It sends requests for other packages on to the registry that npm is configured for.
    """
    elsewhere = read("npm", "config", "get", "registry").strip().rstrip("/")
    packages = {}
    for tarball in folder.glob("*.tgz"):
        with tarfile.open(tarball) as content:
            manifest = json.load(content.extractfile("package/package.json"))
        packages[manifest["name"]] = (tarball, manifest)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            path = urllib.parse.unquote(self.path[1:])
            if path in packages:
                tarball, manifest = packages[path]
                shasum = hashlib.sha1(tarball.read_bytes()).hexdigest()
                dist = {"tarball": f"http://{self.headers['Host']}/-/{tarball.name}", "shasum": shasum}
                version = manifest["version"]
                versions = {version: manifest | {"dist": dist}}
                document = {"name": path, "dist-tags": {"latest": version}, "versions": versions}
                self.answer(200, json.dumps(document).encode(), "application/json")
            elif path.startswith("-/fuzzy-edit") or path.startswith("-/opencode-fuzzy-edit"):
                self.answer(200, (folder / pathlib.Path(path).name).read_bytes(), "application/octet-stream")
            elif path.startswith("fuzzy-edit"):
                self.answer(404, b"{}", "application/json")
            else:
                self.answer(302, b"", "text/plain", f"{elsewhere}{self.path}")

        def answer(self, status, body, kind, location=None):
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            if location:
                self.send_header("Location", location)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            """Prints nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


if __name__ == "__main__":
    main()
