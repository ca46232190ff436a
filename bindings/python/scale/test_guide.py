"""Runs every Python block in docs/scale.md and checks its result."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cases
import fuzzy_edit
from conftest import by_id
from test_replay import logs

GUIDE = (Path(__file__).parents[3] / "docs/scale.md").read_text()
BLOCKS = dict(re.findall(r"^```python (\w+)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL))


def run(name: str, folder: Path | None = None, **names: Any) -> dict[str, Any]:
    # Executors run in other folders, so that the paths must be absolute.
    block = BLOCKS[name].replace('parquet("', f'parquet("{folder}/')
    exec(compile(block, f"docs/scale.md, {name}", "exec"), names)
    return names


@pytest.fixture
def folder(edits, files, tmp_path, monkeypatch):
    """Makes a folder with the tables that the guide reads."""
    pq.write_table(edits.select(["id", "path", "old", "new"]), tmp_path / "edits.parquet")
    pq.write_table(files, tmp_path / "files.parquet")
    pq.write_table(logs(edits, files), tmp_path / "logs.parquet")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_block_is_run():
    assert sorted(BLOCKS) == ["duckdb", "polars", "replay", "reward", "spark"]
    assert len(BLOCKS) == GUIDE.count("```python")
    for name in ("duckdb", "polars"):
        assert len(BLOCKS[name].splitlines()) == 5


@pytest.mark.parametrize("name", ["duckdb", "polars", "spark"])
def test_answers_are_written(request, folder, edits, files, name):
    run(name, folder, spark=request.getfixturevalue("spark") if name == "spark" else None)
    rows = cases.with_contents(edits, files).select(["id", "content", "old", "new"])
    expected = by_id(pa.table(fuzzy_edit.apply_batch(rows)).drop_columns(["proposal"]))
    assert by_id(pq.read_table(folder / "answers.parquet")) == expected


def test_a_replay_is_shown(spark, folder, capfd):
    run("replay", folder, spark=spark)
    shown = capfd.readouterr().out
    for word in ("adaptive", "conservative", "exact", "alignment"):
        assert word in shown


def test_a_patch_is_worth_what_its_changes_are():
    reward = run("reward")["reward"]
    files = {"a.py": "one = 1\ntwo = 2\nthree = 3\n", "b.py": "x = 1\n"}
    wanted = {**files, "a.py": "one = 1\ntwo = 22\nthree = 3\n"}

    def patch(path: str, old: str, new: str) -> str:
        return f"{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"

    good = patch("a.py", "two = 2", "two = 22")
    # A slightly wrong quote does not lower the reward: the edit still lands.
    assert reward(files, good, wanted) == reward(files, patch("a.py", "two  =  2", "two = 22"), wanted) == 1
    too_much = reward(files, good + patch("b.py", "x = 1", "x = 3"), wanted)
    other = reward(files, patch("b.py", "x = 1", "x = 3"), wanted)
    assert 1 > too_much > other == 0
    for lost in (patch("a.py", "never = 0", "x"), patch("c.py", "one", "two"), "no patch", ""):
        assert reward(files, lost, wanted) == -1


def test_the_functions_are_documented_where_users_have_them_from():
    import fuzzy_edit.spark

    for name in fuzzy_edit.spark.__all__:
        function = getattr(fuzzy_edit.spark, name)
        assert function.__module__ == "fuzzy_edit.spark"
        for part in [">>> ", ":param ", ":returns: ", ":raises FuzzyEditError: "]:
            assert part in function.__doc__, (name, part)
