"""Makes a strategy crate that builds, is registered and has its first snapshots: `new_strategy.py NAME`.

It starts as a copy of `exact`, at the loose end of `registered`; its search is then yours to write.
"""

import os
import re
import sys

from common import CARGO, ROOT, WORKSPACE, read, require, run

FACADE = "crates/facade/fuzzy-pipeline"
#: The lists of strategies: the file, the pattern of an entry, and the new entry, which is inserted after the last one.
LISTS = [
    (
        "Cargo.toml",
        r'.* path = "crates/strategies/.*',
        'fuzzy-{name} = { version = "0.1.0", path = "crates/strategies/{name}" }',
    ),
    # Only the feature `all` has one name per line.
    (f"{FACADE}/Cargo.toml", r'    "[a-z-]+",', '    "{name}",'),
    (f"{FACADE}/Cargo.toml", r'[a-z0-9-]+ = \["dep:fuzzy-.*', '{name} = ["dep:fuzzy-{name}"]'),
    (f"{FACADE}/Cargo.toml", r"fuzzy-.* optional = true.*", "fuzzy-{name} = { workspace = true, optional = true }"),
    (
        f"{FACADE}/src/link.rs",
        r"    fuzzy_\w+::link\(\);",
        '    #[cfg(feature = "{name}")]\n    fuzzy_{module}::link();',
    ),
    (
        f"{FACADE}/tests/registry.rs",
        r'    \(cfg!\(feature = ".*"\), ".*"\),',
        '    (cfg!(feature = "{name}"), "{name}"),',
    ),
]
FILES = {"src/lib.rs": "lib.rs", "tests/it/main.rs": "main.rs"}
#: Types that the template imports, and a word that cannot name a type.
TAKEN = {"ControlFlow", "Found", "Query", "Strategy", "Self"}

if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
    sys.exit(__doc__)
name = sys.argv[1]
type_name = name.title().replace("-", "")
require(re.fullmatch(r"[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*", name), f"{name!r} is not lower-case words joined by `-`")
require(type_name not in TAKEN, f"{name!r} would hide a type of the engine")
members = {package["name"]: package for package in WORKSPACE["packages"]}
require(f"fuzzy-{name}" not in members, f"a package fuzzy-{name} exists already")
require(name not in members["fuzzy-pipeline"]["features"], f"fuzzy-pipeline has a feature {name} already")
changes = read("git", "status", "--porcelain", cwd=ROOT)
require(not changes, f"the work tree is not clean; commit your changes first:\n{changes}")

priorities = re.findall(
    r"priority = (\d+)", read("git", "grep", "-h", "priority = ", "--", "crates/strategies", cwd=ROOT)
)
words = {
    "name": name,
    "module": name.replace("-", "_"),
    "Type": type_name,
    "priority": str(max(map(int, priorities)) + 10),
}


def filled(text):
    return re.sub(r"\{(name|module|Type|priority)\}", lambda word: words[word[1]], text)


# All files are prepared before the first is written: if a list is missing, nothing has changed.
made = {}
for file, pattern, entry in LISTS:
    text = made.get(file) or (ROOT / file).read_text()
    entries = list(re.finditer(f"^{pattern}$", text, re.M))
    require(entries, f"{file} has no list for {entry}")
    made[file] = f"{text[: entries[-1].end()]}\n{filled(entry)}{text[entries[-1].end() :]}"
manifest = (ROOT / "crates/strategies/exact/Cargo.toml").read_text()
made[f"crates/strategies/{name}/Cargo.toml"] = manifest.replace("fuzzy-exact", f"fuzzy-{name}")
for file, template in FILES.items():
    made[f"crates/strategies/{name}/{file}"] = filled((ROOT / f"tools/catalogue/template/{template}.txt").read_text())
for file, text in made.items():
    (ROOT / file).parent.mkdir(parents=True, exist_ok=True)
    (ROOT / file).write_text(text)
    print(f"wrote {file}")

run(CARGO, "fmt", "--package", f"fuzzy-{name}", cwd=ROOT)
run(CARGO, "test", "--quiet", "--package", f"fuzzy-{name}", cwd=ROOT, env=os.environ | {"INSTA_UPDATE": "always"})
run(CARGO, "test", "--quiet", "--package", "fuzzy-pipeline", "--test", "registry", "--all-features", cwd=ROOT)
run(CARGO, "run", "--quiet", "--package", "fuzzy-catalogue", "ladders", cwd=ROOT)
print(f"""
made crates/strategies/{name}, feature `{name}`, last in the ladder `registered`; now:
  1. write its search in crates/strategies/{name}/src/lib.rs, and document in its first lines what it accepts
  2. set its priority there, and its position in {FACADE}/tests/registry.rs
  3. draw an accepting case and a near miss in tests/it/main.rs, and look at the snapshots
  4. cargo xtask ladders && cargo xtask ci && cargo xtask test""")
