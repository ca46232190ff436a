"""Runs a cluster of two workers on this machine, each a process with its own core."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, Iterator

import pyarrow as pa
import pytest

import cases

#: The command whose results are the expected ones; `cargo xtask test scale` builds it.
COMMAND = os.environ.get("FUZZY_EDIT", "fuzzy-edit")


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    session = cluster(tmp_path_factory.mktemp("spark"), workers=2)
    yield session
    session.stop()


def cluster(folder: Path, workers: int, memory: int = 1024) -> Any:
    """Starts a session on this number of executors with one core each."""
    # Driver and executors use this address, independently of the host name.
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    # The interpreter with fuzzy_edit; `python3` on the path may be another one.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    # By default Spark creates the folders of the executors in its installation.
    os.environ["SPARK_WORKER_DIR"] = str(folder / "work")
    os.environ["SPARK_LOCAL_DIRS"] = str(folder / "local")
    from pyspark.sql import SparkSession

    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.shuffle.partitions": "8",
        "spark.executor.extraJavaOptions": snappy(folder),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master(f"local-cluster[{workers},1,{memory}]").appName("fuzzy-edit")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def snappy(folder: Path) -> str:
    """Returns the options that select the codec of Spark if its loader would select the wrong one.

    The loader assumes musl if musl is installed besides glibc, for example to build static binaries.
    """
    if not Path("/lib/ld-musl-x86_64.so.1").exists():
        return ""
    import pyspark

    name = "libsnappyjava.so"
    folder.mkdir(parents=True, exist_ok=True)
    (jar,) = (Path(pyspark.__file__).parent / "jars").glob("snappy-java-*.jar")
    with zipfile.ZipFile(jar) as members:
        (folder / name).write_bytes(members.read(f"org/xerial/snappy/native/Linux/x86_64/{name}"))
    return f"-Dorg.xerial.snappy.lib.path={folder} -Dorg.xerial.snappy.lib.name={name}"


@pytest.fixture(scope="session")
def files() -> pa.Table:
    return cases.files(40, 60)


@pytest.fixture(scope="session")
def edits(files: pa.Table) -> pa.Table:
    return cases.edits(files, 1200)


def batch(rows: pa.Table) -> dict[str, dict[str, Any]]:
    """Returns the results of `fuzzy-edit batch`, by id."""
    asked = rows.select(["id", "content", "old", "new", "replace_all"]).to_pylist()
    # A debug build on a busy machine may exceed the default of two seconds.
    command = [COMMAND, "batch", "--timeout-ms", "60000"]
    lines = "".join(json.dumps(row) + "\n" for row in asked)
    answered = subprocess.run(command, input=lines, capture_output=True, check=True, text=True)
    answers = [json.loads(line) for line in answered.stdout.splitlines()]
    fields = ("id", "ok", "output", "code", "rule", "strategy", "similarity", "confidence")
    return {answer["id"]: {name: answer.get(name) for name in fields} for answer in answers}


def by_id(table: pa.Table) -> dict[str, dict[str, Any]]:
    """Returns the rows of a table by id; fails if an id occurs twice."""
    rows = table.to_pylist()
    found = {row["id"]: row for row in rows}
    assert len(found) == len(rows)
    return found
