"""Lists the public interface of the facade `fuzzy-pipeline`, and its items without documentation or an example.

Reads what rustdoc knows of the facade and of the crates whose items it exports. This needs an unstable option, so that
RUSTC_BOOTSTRAP is set: `cargo xtask test api`.
"""

import itertools
import json
import os
import pathlib
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).parents[1]
SNAPSHOT = ROOT / "crates/facade/fuzzy-pipeline/tests/api.txt"
FACADE = "fuzzy-pipeline"
FEATURES = {"fuzzy-pipeline": "all,serde,texts,code-pages,tracing", "fuzzy-core": "serde,tracing"}
KINDS = ("struct", "enum", "trait", "function", "constant", "type_alias", "macro")


def described(package, target):
    """Returns what rustdoc knows of a crate."""
    command = ["cargo", "rustdoc", "--quiet", "--lib", "--package", package, "--target-dir", str(target)]
    command += ["--features", FEATURES.get(package, ""), "--", "-Z", "unstable-options", "--output-format", "json"]
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, "RUSTC_BOOTSTRAP": "1"})
    return json.loads((target / "doc" / f"{package.replace('-', '_')}.json").read_text("utf-8"))


class Crate:
    def __init__(self, package, target):
        data = described(package, target)
        self.items, self.paths = data["index"], data["paths"]
        self.root = self.items[str(data["root"])]

    def item(self, number):
        return self.items.get(str(number))

    def members(self, item):
        """Returns the public fields, variants and own functions of a type or a trait."""
        kind, inner = next(iter(item["inner"].items()))
        if kind == "trait":
            return [self.item(it) for it in inner["items"]]
        members = [self.item(it) for it in inner.get("variants", [])]
        if kind == "struct" and isinstance(inner["kind"], dict) and "plain" in inner["kind"]:
            members += [self.item(it) for it in inner["kind"]["plain"]["fields"]]
        for number in inner.get("impls", []):
            implemented = (self.item(number) or {}).get("inner", {}).get("impl", {"trait": True})
            if not implemented["trait"]:
                members += [self.item(it) for it in implemented["items"]]
        return [it for it in members if it and (it["visibility"] in ("public", "default"))]


def exported(facade, crate_of):
    """Yields the path, the item and its crate of each exported item."""
    open_modules = [(FACADE.replace("-", "_"), facade, facade.root)]
    while open_modules:
        path, crate, module = open_modules.pop()
        for number in module["inner"]["module"]["items"]:
            item = crate.item(number)
            if item is None or item["visibility"] != "public":
                continue
            if "module" in item["inner"]:
                open_modules.append((f"{path}::{item['name']}", crate, item))
            elif "use" in item["inner"]:
                yield from used(path, crate, item["inner"]["use"], crate_of)
            else:
                yield f"{path}::{item['name']}", item, crate


def used(path, crate, use, crate_of):
    """Yields the items of a re-export."""
    if (target := crate.item(use["id"])) and "module" not in target["inner"]:
        yield f"{path}::{use['name']}", target, crate
        return
    summary = crate.paths[str(use["id"])]
    other = crate_of(summary["path"][0])
    found = [number for number, known in other.paths.items() if known["path"] == summary["path"] and known["crate_id"] == 0]
    item = other.items.get(found[0]) if found else None
    if item is None:
        yield f"{path}::{use['name']}", None, other
    elif "module" in item["inner"]:
        # All items of a module, or the module itself.
        path = path if use["is_glob"] else f"{path}::{use['name']}"
        for number in item["inner"]["module"]["items"]:
            inner = other.item(number)
            if inner and inner["visibility"] == "public" and "use" in inner["inner"]:
                yield from used(path, other, inner["inner"]["use"], crate_of)
            elif inner and inner["visibility"] == "public":
                yield f"{path}::{inner['name']}", inner, other
    else:
        yield f"{path}::{use['name']}", item, other


def main():
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "api"
    crates = {}

    def crate_of(name):
        if name not in crates:
            crates[name] = Crate(name.replace("_", "-"), target)
        return crates[name]

    lines, missing = [], []
    for path, item, crate in exported(Crate(FACADE, target), crate_of):
        if item is None:
            lines.append(f"? {path}")
            continue
        kind = next(iter(item["inner"]))
        if kind not in KINDS:
            continue
        members = [] if kind in ("function", "constant", "type_alias", "macro") else crate.members(item)
        lines.append(f"{kind} {path}")
        for member, group in itertools.groupby(members, lambda it: next(iter(it["inner"]))):
            names = f"{member} " + ", ".join(it["name"] for it in group)
            lines += textwrap.wrap(names, 120, initial_indent="    ", subsequent_indent="        ", break_long_words=False)
        undocumented = [it["name"] for it in [item, *members] if not it["docs"]]
        missing += [f"{path}: no documentation of {name}" for name in undocumented]
        # A user calls a function, and makes a type that has a function to make it.
        is_made = kind == "function" or any(it["name"] in ("new", "default") and "function" in it["inner"] for it in members)
        has_example = any("```" in (it["docs"] or "") for it in [item, *members])
        if is_made and not has_example:
            missing.append(f"{path}: no example")
    text = "\n".join(lines) + "\n"
    if "--write" in sys.argv:
        SNAPSHOT.write_text(text, "utf-8")
    elif SNAPSHOT.read_text("utf-8") != text:
        missing.append(f"{SNAPSHOT.relative_to(ROOT)} differs: check the change, and run tools/api.py --write")
    print("\n".join(missing) or f"{len(crates)} crates, all items documented")
    sys.exit(bool(missing))


if __name__ == "__main__":
    main()
