"""Rehearses a release on this machine without publishing anything, and lists what a person has to do.

Each step is the one of docs/releasing.md: the crates are packed, built and sent to nobody, the artefacts are made, installed
from a folder and a registry on this machine, and used; the npm packages are packed as for a release.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tarfile

from common import CARGO, ROOT, TARGET, VERSION, WORKSPACE, read, require, run

PLACEHOLDER = "OWNER/fuzzy-edit"


def described():
    """Returns a line for each thing in the repository that is not ready for a release."""
    changelog = (ROOT / "CHANGELOG.md").read_text()
    if not re.search(rf"^## \[?{re.escape(VERSION)}\b", changelog, re.MULTILINE):
        yield f"Replace the heading *Unreleased* of CHANGELOG.md by `{VERSION}` and the date."
    places = read("git", "grep", "--name-only", "--fixed-strings", PLACEHOLDER, cwd=ROOT).split()
    if places:
        yield f"Replace OWNER by the owner of the repository in {len(places)} files: `git grep -l {PLACEHOLDER}`."
    if read("git", "status", "--porcelain", cwd=ROOT):
        yield "Commit the changes of the work tree."


#: How each registry is asked for a package, and its answer if it has none.
REGISTRIES = {
    "crates.io": ([CARGO, "info", "--registry", "crates-io"], "could not find"),
    "PyPI": ([sys.executable, "-m", "pip", "index", "versions"], "No matching distribution"),
    "npm": (["npm", "view"], "E404"),
}


def is_registered(registry, name):
    """Returns whether a registry has a package of this name; ends the script if it does not answer."""
    command, none = REGISTRIES[registry]
    # In the workspace, cargo would answer with the crate of the workspace.
    done = subprocess.run([*command, name], capture_output=True, text=True, cwd=pathlib.Path.home())
    require(done.returncode == 0 or none in done.stderr, f"{registry} does not answer: {done.stderr}")
    return done.returncode == 0


def names(folder):
    """Returns the names to claim, by registry."""
    crates = [package["name"] for package in WORKSPACE["packages"] if package["publish"] != []]
    npm = []
    for archive in sorted(folder.glob("*.tgz")):
        with tarfile.open(archive) as packed:
            npm.append(json.load(packed.extractfile("package/package.json"))["name"])
    return {"crates.io": crates, "PyPI": ["fuzzy-edit"], "npm": npm}


def to_claim(folder):
    """Returns a line for the names that somebody registered, and one for those that are free."""
    registered, free = {}, {}
    for registry, listed in names(folder).items():
        for name in listed:
            found = registered if is_registered(registry, name) else free
            found[registry] = f"{found[registry]}, {name}" if registry in found else name
    for found, text in [
        (registered, "These names are registered. Rename each package whose name belongs to somebody else"),
        (free, "Claim these names, because anyone may register them"),
    ]:
        if found:
            yield f"{text}. {'; '.join(f'{registry}: {listed}' for registry, listed in found.items())}."


def main():
    parser = argparse.ArgumentParser(description=__doc__, prog="cargo xtask release")
    parser.add_argument("--debug", action="store_true", help="make unoptimised artefacts, in a fifth of the time")
    arguments = parser.parse_args()
    folder = TARGET / "tried" / ("debug" if arguments.debug else "dist")
    options = ["--folder", folder, *["--debug"] * arguments.debug]
    open_points = list(described())
    run(CARGO, "publish", "--locked", "--workspace", "--dry-run", "--allow-dirty", cwd=ROOT)
    run(CARGO, "xtask", "dist", *options, cwd=ROOT)
    run(CARGO, "xtask", "dist", "--try-out", *options, cwd=ROOT)
    packages = sorted(folder.glob("*.tgz"))
    require(packages, f"there are no npm packages in {folder}")
    for package in packages:
        run("npm", "publish", "--dry-run", "--access", "public", package)
    print("\nThe rehearsal succeeded. To release, a person does this, in this order:\n")
    steps = [*to_claim(folder), *open_points]
    steps += ["Create the environments `release`, `crates.io`, `pypi` and `npm` in the settings of the repository."]
    steps += ["Register the workflow `release` as a trusted publisher at crates.io, PyPI and npm."]
    steps += ["Run `.ci/run` and `cargo xtask test --all`; both must pass."]
    steps += [f"Tag the commit `v{VERSION}` and push the tag. The workflow makes, attests and tests all artefacts."]
    steps += ["If they are as they should be, set the variable `PUBLISH` of the repository to `true` and run the job again."]
    steps += ["Publish `server.json` with `mcp-publisher publish`."]
    steps += ["Install from each registry on a new machine: `cargo install`, `uvx`, `npx`, `install.sh`."]
    for number, step in enumerate(steps, 1):
        print(f"{number}. {step}")


if __name__ == "__main__":
    main()
