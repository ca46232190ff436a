"""Lines of real files and of JSON objects are moved to where they belong: a parser judges every result."""

import glob
import os
import random
from collections import Counter
from pathlib import Path

import braces
import fuzzy_edit
import moves
import pytest

FILES = 120
OBJECTS = 100

#: The fewest right changes of a language in braces.
CHANGES = 500
MAX_BYTES = 60_000

ROOT = Path(__file__).parents[3]
CRATES = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "registry/src"

#: Folders of files and their patterns. The sources in C are those of a dependency of the command.
SOURCES = {
    "rs": [(ROOT / "crates", "**/src/**/*.rs")],
    "js": [(ROOT / folder, "**/*.*js") for folder in ("bindings/node", "integrations", "playground")],
    "c": [(CRATES, "*/zstd-sys-*/zstd/**/*.[ch]")],
}

#: Elements, templates and labels, which are rare in these files.
JSX = """\
import { useState } from 'react';

/** A list with a total. */
export function List({ items, onPick }) {
  const [open, setOpen] = useState(false);
  const text = `Items:
  ${items.length}
    of many`;

  switch (open) {
  case true:
    onPick(items[0]);
    break;
  default:
    onPick(null);
  }
  return (
    <section>
      <h1 title={text}>Items</h1>
      <ul className="items">
        {items.map((item) => (
          <li key={item.id}>{item.name}</li>
        ))}
      </ul>
      <footer>
        <Total items={items} />
        <button onClick={() => setOpen(!open)}>
          Open
        </button>
      </footer>
    </section>
  );
}

const total = (items) => {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return sum;
};

function Total({ items }) {
  return <b>{total(items)}</b>;
}
"""


def quoted(lines, start, end, others):
    """Returns the shortest text of whole lines with a word, to the line ``end`` and from ``start`` or above, that occurs once."""
    text = "\n".join(lines)
    while True:
        quote = "\n".join(lines[start:end])
        if any(c.isalnum() for c in quote) and text.count(quote) == 1:
            return quote
        start -= 1
        if start < 0 or start in others:
            return None


def move(case):
    """Makes a move; returns its verdict, or none if its lines cannot be named by their text."""
    lines = case.text.split("\n")
    start, end = case.lines
    part = "\n".join(lines[start:end])
    if case.is_below:
        beside = quoted(lines, case.beside, case.beside + 1, range(start, end))
    else:
        beside = lines[case.beside] if lines.count(lines[case.beside]) == 1 else None
    if case.text.count(part) != 1 or beside is None:
        return None
    place = {"move_after": beside} if case.is_below else {"move_before": beside}
    result = fuzzy_edit.apply(case.text, part, **place)
    if not result.ok:
        return "refused" if result.code != "already_applied" else None
    fault = case.check(result.output)
    assert fault is None, (case.kind, fault, case.lines, case.beside, result.output)
    return "right"


def test_functions_and_statements_keep_their_meaning():
    rng = random.Random(1)
    root = os.path.dirname(os.__file__)
    files = sorted(glob.glob(f"{root}/*.py") + glob.glob(f"{root}/[a-z]*/*.py"))
    files = [file for file in files if "/test" not in file and "site-packages" not in file]
    counts = Counter()
    for file in rng.sample(files, min(FILES, len(files))):
        try:
            with open(file, encoding="utf-8") as source:
                text = source.read()
        except UnicodeDecodeError:
            continue
        counts.update(filter(None, map(move, moves.python_moves(text, rng))))
    assert counts["refused"] * 20 <= sum(counts.values()) and counts["right"] > FILES, counts


def changed(case):
    """Makes a change in braces; returns its verdict."""
    result = fuzzy_edit.apply(case.text, **case.edit)
    if not result.ok or result.output == case.text:
        return "there" if result.ok or result.code == "already_applied" else "refused"
    fault = case.check(result.output)
    assert fault is None, (case.kind, fault, case.edit, result.output)
    return "right"


@pytest.mark.parametrize("language", SOURCES)
def test_items_in_braces_keep_their_meaning(language):
    rng = random.Random(1)
    files = [file for folder, pattern in SOURCES[language] for file in sorted(folder.glob(pattern))]
    files = [file for file in files if "node_modules" not in file.parts and file.stat().st_size < MAX_BYTES]
    rng.shuffle(files)
    counts = Counter()
    if language == "js":
        counts.update(map(changed, braces.changes(language, JSX, rng, 20)))
    for file in files:
        counts.update(map(changed, braces.changes(language, file.read_text(encoding="utf-8"), rng, 4)))
        if counts["right"] >= CHANGES:
            break
    assert counts["refused"] * 20 <= sum(counts.values()) and counts["right"] >= CHANGES, counts


def test_members_are_moved_inserted_and_deleted():
    rng = random.Random(1)
    counts = Counter()
    for _ in range(OBJECTS):
        counts.update(filter(None, map(move, moves.json_moves(rng))))
        for case in moves.json_changes(rng):
            result = fuzzy_edit.apply(case.text, **case.edit)
            assert result.ok, (case, result.message)
            assert case.check(result.output) is None, (case, result.output)
    assert counts["refused"] == 0 and counts["right"] > OBJECTS, counts
