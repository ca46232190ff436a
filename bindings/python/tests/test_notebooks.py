"""Notebooks that the command edits stay notebooks for Jupyter: nbformat validates them, and would save them alike."""

import json
import os
import pathlib
import random
import subprocess

import nbformat
import pytest
from nbformat import v4

LINES = ["x = 'a\\n'", "    y = 'ö'", "", "print(1)", "# a comment", "if x:", "\tz = 😀"]


def source(rng):
    return "\n".join(rng.choice(LINES) for _ in range(rng.randrange(1, 6)))


def book(rng):
    """Returns a notebook as Jupyter writes it, with all types of cells."""
    cells = []
    for number in range(rng.randrange(1, 6)):
        make = rng.choice([v4.new_code_cell, v4.new_markdown_cell, v4.new_raw_cell])
        cells.append(make(source(rng), id=f"c{number}"))
        if make is v4.new_code_cell:
            cells[-1].outputs = [v4.new_output("stream", text="ö\n"), v4.new_output("display_data", {"text/plain": "1"})]
    return v4.new_notebook(cells=cells)


def operation(rng, cells):
    """Returns the options of a random edit; the cell, the lines and the new text need not fit."""
    at = rng.randrange(len(cells))
    cell, other = str(at + 1), str(rng.randrange(len(cells)) + 1)
    line = rng.choice(cells[at].source.split("\n") or [""])
    return ["--cell", cell] + rng.choice(
        [
            ["--old", line, "--new", source(rng)],
            ["--new", source(rng)],
            ["--after", line, "--new", source(rng)],
            ["--delete-cell"],
            ["--insert-cell", "after", "--cell-type", rng.choice(["code", "markdown", "raw"]), "--new", source(rng)],
            ["--move-before", other],
        ]
    )


def check(path, rng, environment):
    """Edits a notebook, and returns whether the edit was made."""
    before = path.read_text()
    command = [os.environ["FUZZY_EDIT"], "apply", path, *operation(rng, nbformat.reads(before, as_version=4).cells)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode in (0, 1), (command, done.stderr)
    after = path.read_text()
    notebook = nbformat.reads(after, as_version=4)
    nbformat.validate(notebook)
    # Jupyter would save the same, in its own layout.
    assert json.loads(nbformat.writes(notebook)) == json.loads(after), command
    assert done.returncode == 0 or after == before
    return after != before


@pytest.fixture
def environment(tmp_path):
    return {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}


def test_edits_of_generated_notebooks_are_valid(tmp_path, environment):
    rng, path, made = random.Random(7), tmp_path / "book.ipynb", 0
    for _ in range(12):
        nbformat.write(book(rng), path)
        made += sum(check(path, rng, environment) for _ in range(10) if json.loads(path.read_text())["cells"])
    assert made > 60


@pytest.mark.skipif("FUZZY_EDIT_NOTEBOOKS" not in os.environ, reason="FUZZY_EDIT_NOTEBOOKS names no folder of notebooks")
def test_edits_of_real_notebooks_are_valid(tmp_path, environment):
    rng, path, counts = random.Random(7), tmp_path / "book.ipynb", [0, 0]
    for real in sorted(pathlib.Path(os.environ["FUZZY_EDIT_NOTEBOOKS"]).rglob("*.ipynb")):
        text = real.read_text()
        try:
            notebook = nbformat.reads(text, as_version=4)
            nbformat.validate(json.loads(text))
        except Exception:
            continue
        # Older ones and those that Jupyter would change are no test of ours.
        if not notebook.cells or json.loads(nbformat.writes(notebook)) != json.loads(text):
            continue
        path.write_text(text)
        counts[0] += 1
        counts[1] += check(path, rng, environment)
    print(f"{counts[1]} edits of {counts[0]} notebooks")
    assert counts[1] > counts[0] / 2
