"""`replay` on a cluster returns the same table as `fuzzy-edit replay`."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import cases
from conftest import COMMAND
from fuzzy_edit.spark import replay

LADDERS = ["adaptive", "conservative", "full"]
JUDGED = ("right", "whitespace", "wrong", "missed")


def locally(path: str) -> dict[str, Any]:
    """Returns the report of the command for the same rows."""
    command = [COMMAND, "replay", path, "--json", "--ladder", ",".join(LADDERS), "--timeout-ms", "60000"]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def same_shape(rows: list[dict[str, Any]], ladder: str) -> dict[str, Any]:
    """Converts the rows of a ladder to the form of the command's report."""
    rows = [row for row in rows if row["ladder"] == ladder]
    of = {by: {row["name"]: row for row in rows if row["by"] == by} for by in ("all", "tier", "code", "drift")}
    whole = of["all"][None]
    return {
        "ladder": ladder,
        "matched": whole["matched"],
        "codes": {name: row["edits"] for name, row in of["code"].items()},
        **{name: whole[name] for name in JUDGED},
        "tiers": {
            name: {field: row[field] for field in ("matched", "ambiguous", *JUDGED)} for name, row in of["tier"].items()
        },
        "drifts": {name: {field: row[field] for field in JUDGED} for name, row in of["drift"].items()},
    }


def logs(edits: pa.Table, files: pa.Table) -> pa.Table:
    """Makes labelled rows of every kind, and some that cannot be tried."""
    rows = cases.with_contents(edits, files).drop_columns(["path"]).to_pylist()
    for number, row in enumerate(rows):
        row.update(line=None, expected_kind=None, accept_noop=None, edit_hash=None)
        row.update(first=None, last=None, after=None, expected_lines=None, lines=None)
        if number % 11 == 0:
            row.update(expected_kind="span")
        elif number % 13 == 0:
            row.update(expected_kind="full", old=row["new"])
        elif number % 17 == 0:
            row.update(expected_kind="refuse_or_noop", expected=None, accept_noop=True, new=row["old"].split("\n")[0])
        elif number % 19 == 0:
            # An old text that occurs in many places.
            row.update(expected=None, old="_", line=number % 50 + 1 if number % 2 else None)
        elif number % 23 == 0:
            row.update(content=None)
        elif number % 29 == 0:
            row.update(content=None, old=None, edit_hash="12ab")
        elif number % 31 == 0:
            row.update(drift=None)
        elif number % 37 == 0:
            row.update(expected=row["content"] + "\n")
        elif number % 41 == 0:
            # Lines that are named by their ends, some of them ambiguous or without a guard.
            solid = [line for line in row["content"].split("\n") if line.strip()]
            places = [
                {"first": solid[0], "last": solid[1]},
                {"first": solid[0], "last": solid[1], "expected_lines": 2, "old": row["old"]},
                {"after": "}"},
                {"after": solid[number % len(solid)], "line": number % 50 + 1},
                {"first": solid[2], "lines": [3, 3]},
            ]
            row.update({"old": None, "replace_all": None, "expected": None, **places[number // 41 % len(places)]})
    kinds = {"replace_all": pa.bool_(), "accept_noop": pa.bool_(), "line": pa.int64(), "expected_lines": pa.int64()}
    kinds["lines"] = pa.list_(pa.int64())
    return pa.Table.from_pylist(rows, pa.schema([(name, kinds.get(name, pa.string())) for name in rows[0]]))


def test_the_table_is_that_of_the_command(spark, edits, files, tmp_path):
    path = str(tmp_path / "logs.parquet")
    pq.write_table(logs(edits, files), path)
    told = locally(path)
    table = [row.asDict() for row in replay(spark.read.parquet(path).repartition(5), LADDERS, timeout=None).collect()]
    for ladder in told["ladders"]:
        del ladder["us"], ladder["rules"]
        assert same_shape(table, ladder["ladder"]) == ladder
        assert all(ladder[name] for name in JUDGED)
        assert sum(tier["ambiguous"] for tier in ladder["tiers"].values())
    untried = {row["name"]: row["edits"] for row in table if row["by"] == "row" and row["ladder"] == "full"}
    assert untried == {"unreadable": told["unreadable"]["count"], "without_texts": told["without_texts"]}
    assert min(untried.values()) > 0
    assert {row["edits"] for row in table if row["by"] == "all"} == {told["edits"]}


def test_without_labels_only_tiers_are_counted(spark, edits, files, tmp_path):
    path = str(tmp_path / "logs.parquet")
    pq.write_table(cases.with_contents(edits, files).select(["content", "old", "new"]), path)
    told = locally(path)
    table = [row.asDict() for row in replay(spark.read.parquet(path), LADDERS, timeout=None).collect()]
    for ladder in told["ladders"]:
        del ladder["us"], ladder["rules"]
        assert same_shape(table, ladder["ladder"]) == ladder
        assert not any(ladder[name] for name in JUDGED)
