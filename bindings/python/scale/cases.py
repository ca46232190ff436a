"""Generates files and slightly wrong edits from a seed, for the tests and the measurements of tables."""

from __future__ import annotations

import gzip
import json
import random
from typing import Any, Iterator

import pyarrow as pa

#: The kinds of errors in an old text, and their weights. The expected result is always known.
DRIFTS = {
    "none": 40,
    "indentation": 15,
    "trailing blanks": 10,
    "blanks inside": 10,
    "a slip": 10,
    "a lost line": 5,
    "absent": 5,
    "everywhere": 5,
}

WORDS = "account batch cache delta entry frame graph handle index journal key limit matrix node offset page".split()

FILE = pa.schema([("path", pa.string()), ("content", pa.string())])
EDIT = pa.schema(
    [(name, pa.string()) for name in ("id", "path", "old", "new")]
    + [("replace_all", pa.bool_())]
    + [(name, pa.string()) for name in ("expected", "drift")]
)


def files(count: int, lines: int, seed: int = 1) -> pa.Table:
    """Makes files of code with about this number of lines each."""
    dice = random.Random(seed)
    contents = [content(dice, dice.randint(lines // 2, lines * 3 // 2)) for _ in range(count)]
    return pa.table({"path": [path(number) for number in range(count)], "content": contents}, FILE)


def path(number: int) -> str:
    return f"src/{WORDS[number % len(WORDS)]}/{number:06}.py"


def content(dice: random.Random, lines: int) -> str:
    made: list[str] = []
    while len(made) < lines:
        names = [f"{dice.choice(WORDS)}_{dice.randrange(10_000)}" for _ in range(8)]
        made.append(f"def {names[0]}({names[1]}, {names[2]}):")
        for _ in range(dice.randint(2, 5)):
            value = f"{dice.choice(names)} + {dice.choice(WORDS)}[{dice.randrange(1_000)}]"
            made.append(f"    {dice.choice(names[3:])} = {value}")
        made.append(f"    if {names[3]} > {dice.randrange(100)}:")
        made.append(f"        {names[4]}('größer')" if dice.random() < 0.1 else f"        {names[4]}()")
        made.append(f"    return {names[5]}")
        made.append("")
    return "\n".join(made)


def edits(files: pa.Table, count: int, seed: int = 1, hot: float = 0.0, labelled: bool = True) -> pa.Table:
    """Makes this number of edits of files; the share `hot` of them edits the first file."""
    dice = random.Random(seed)
    paths, contents = files["path"].to_pylist(), files["content"].to_pylist()
    lines = [text.split("\n") for text in contents]
    rows = []
    for number in range(count):
        file = 0 if dice.random() < hot else number % len(paths)
        edit = slipped(dice, contents[file], lines[file], labelled)
        rows.append({"id": f"edit-{number}", "path": paths[file], **edit})
    return pa.Table.from_pylist(rows, EDIT)


def slipped(dice: random.Random, text: str, lines: list[str], labelled: bool) -> dict[str, Any]:
    """Makes an edit that changes one of several lines. The label, a whole text, is optional."""
    length = dice.randint(2, 6)
    first = dice.randrange(max(1, len(lines) - length))
    before = lines[first : first + length]
    changed = dice.randrange(len(before))
    after = list(before)
    after[changed] = after[changed] + f"  # {dice.choice(WORDS)} {dice.randrange(100)}"
    drift = dice.choices(list(DRIFTS), list(DRIFTS.values()))[0]
    expected: str | None = "\n".join(lines[:first] + after + lines[first + length :]) if labelled else None
    replace_all = None
    if drift == "indentation":
        before, after = (["  " + line if line else line for line in part] for part in (before, after))
    elif drift == "trailing blanks":
        before = [line + " " * dice.randint(0, 2) for line in before]
    elif drift == "blanks inside":
        before = [line.replace(" = ", "  =  ").replace(", ", ",") for line in before]
    elif drift == "a slip":
        at = max(range(len(before)), key=lambda line: len(before[line]))
        before[at] = before[at][: len(before[at]) // 2] + "x" + before[at][len(before[at]) // 2 + 1 :]
    elif drift == "a lost line" and len(before) > 3:
        lost = 1 if changed != 1 else 2
        before, after = (part[:lost] + part[lost + 1 :] for part in (before, after))
    elif drift == "absent":
        before = [f"never_{dice.randrange(10**9)} = {number}" for number in range(length)]
        expected = None
    elif drift == "everywhere":
        word = dice.choice(WORDS)
        before, after, replace_all = [word], [word.upper()], True
        expected = text.replace(word, word.upper()) if labelled and word in text else None
    old, new = "\n".join(before), "\n".join(after)
    return {"old": old, "new": new, "replace_all": replace_all, "expected": expected, "drift": drift}


def drifted(path: str, count: int) -> tuple[pa.Table, pa.Table]:
    """Returns the files of labelled cases, and this number of edits of them, in turn. It skips cases whose old text occurs
    in its file. A case is a line of JSON with `content`, `old` and `new`, and optionally `replace_all`.
    """
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as lines:
        found = [case for case in map(json.loads, lines) if case["old"] not in case["content"]]
    if not found:
        raise SystemExit(f"{path} has no case whose old text does not occur in its file")
    names = [f"{number:06}" for number in range(len(found))]
    rows = [
        {"id": f"edit-{number}", "path": names[at], **{name: found[at].get(name) for name in ("old", "new", "replace_all")}}
        for number in range(count)
        for at in [number % len(found)]
    ]
    return pa.table({"path": names, "content": [case["content"] for case in found]}, FILE), pa.Table.from_pylist(rows, EDIT)


def with_contents(edits: pa.Table, files: pa.Table) -> pa.Table:
    """Adds the text of its file to every edit."""
    row = {path: number for number, path in enumerate(files["path"].to_pylist())}
    of = pa.array([row.get(path) for path in edits["path"].to_pylist()], pa.int64())
    return edits.append_column("content", files["content"].combine_chunks().take(of))


def parts(table: pa.Table, count: int) -> Iterator[pa.Table]:
    """Splits a table into about this number of parts."""
    length = -(-table.num_rows // count)
    for first in range(0, table.num_rows, length):
        yield table.slice(first, length)
