"""Collects the licences of the software that an artefact is linked with."""

import functools
import pathlib
import re
import shutil

from common import CARGO, ROOT, metadata, read, require

NAME = "NOTICE-THIRD-PARTY"
#: Our licences and the credits, which every artefact also contains.
OURS = ["LICENSE-APACHE", "LICENSE-MIT", "NOTICE"]
#: The accepted licences: each requires only a copy of its text.
ACCEPTED = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
}
TEXTS = ("copying", "copyright", "licence", "license", "notice", "unlicense")
#: Linked software that is not a crate.
BESIDE = """\
SQLite, where the artefact has checkpoints, is in the public domain.
The standard library of Rust is licensed as MIT OR Apache-2.0; the text of the latter is below.
"""
#: The copyright of software under the MIT licence whose distribution lacks the text.
NAPI = "Copyright (c) 2018 GitHub\nCopyright (c) 2020 LongYinan"
WITHOUT_TEXT = {"musl": "Copyright © 2005-2020 Rich Felker, et al.", "napi": NAPI, "napi-sys": NAPI}


def put(folder, linked=None):
    """Puts our licences into a folder, and the notices for `linked` packages: (package, features, target)."""
    for name in OURS:
        shutil.copyfile(ROOT / name, folder / name)
    if linked:
        (folder / NAME).write_text(text(linked))


def text(linked):
    """Returns the notices, each text once."""
    apache, others = [], {}
    if any(target.endswith("-musl") for _, _, target in linked):
        others[mit("musl")] = ["musl, the C library (MIT)"]
    for name, version, licence in sorted(set().union(*map(crates, linked))):
        if is_apache(licence):
            apache.append(f"{name} {version}")
            continue
        texts = texts_in(folders()[name, version])
        if not texts and licence == "MIT" and name in WITHOUT_TEXT:
            texts = [mit(name)]
        require(texts, f"{name} {version} is licensed as {licence} and has no text of it")
        others.setdefault("\n\n".join(texts), []).append(f"{name} {version} ({licence})")
    rule = "-" * 72
    parts = [f"\n{rule}\n{', '.join(names)}\n\n{text}\n" for text, names in sorted(others.items())]
    apache = f"\n{rule}\n{', '.join(apache)} (Apache-2.0)\n\n{(ROOT / 'LICENSE-APACHE').read_text()}"
    return f"fuzzy-edit is linked with the software below.\n\n{BESIDE}{''.join(parts)}{apache}"


def mit(name):
    ours = (ROOT / "LICENSE-MIT").read_text()
    return f"{WITHOUT_TEXT[name]}\n\n{ours[ours.index('Permission is hereby granted') :].strip()}"


def crates(linked):
    """Returns the third-party crates that a package is linked with: (name, version, licence)."""
    package, features, target = linked
    tree = [CARGO, "tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none", "--package", package]
    tree += ["--target", target, "--no-default-features", "--features", features, "--format", "{p}|{l}"]
    lines = (line.removesuffix(" (*)").split("|") for line in read(*tree, cwd=ROOT).splitlines() if line)
    # Only packages of this workspace are listed with their folder.
    return {(*package.split(" v"), licence) for package, licence in lines if "(" not in package}


@functools.cache
def folders():
    packages = metadata("--all-features")["packages"]
    return {(it["name"], it["version"]): pathlib.Path(it["manifest_path"]).parent for it in packages}


def is_apache(licence):
    """Returns whether a licence permits Apache 2.0, whose text is the same for all crates."""
    plain = re.sub(r"[()]", "", licence.replace(" WITH LLVM-exception", "").replace("/", " OR "))
    parts = [{one.strip() for one in part.split(" OR ")} for part in plain.split(" AND ")]
    require(all(part & ACCEPTED for part in parts), f"the licence {licence!r} is not accepted")
    return len(parts) == 1 and "Apache-2.0" in parts[0]


def texts_in(folder):
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name.lower().startswith(TEXTS))
    return [path.read_text().strip() for path in files]
