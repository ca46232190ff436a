"""Measures edits of tables: `apply_batch` and Spark on the same Parquet files, in one run. `cargo xtask bench --scale`."""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import time
from pathlib import Path
from typing import Any, Callable

import pyarrow as pa
import pyarrow.parquet as pq

import cases
import fuzzy_edit
from conftest import cluster

COLUMNS = ["id", "ok", "output", "code", "rule", "strategy", "similarity", "confidence"]
MANY = 10**8
DRIFTED = "`apply_batch`, {} cores, drifted edits of real commits"


def made(folder: Path, edits: int, files: int, lines: int) -> Path:
    """Makes the tables, unless they exist."""
    folder = folder / f"{edits}-{files}-{lines}"
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        texts = cases.files(files, lines)
        write(folder, texts, cases.edits(texts, edits, labelled=False))
    return folder


def write(folder: Path, files: pa.Table, edits: pa.Table) -> None:
    """Writes tables as Parquet, each in eight parts."""
    for name, table in (("files", files), ("edits", edits.drop_columns(["expected", "drift"]))):
        (folder / name).mkdir(parents=True)
        for number, part in enumerate(cases.parts(table, 8)):
            pq.write_table(part, folder / name / f"{number}.parquet", compression="snappy")
    (folder / "done").touch()


def local(data: Path, to: Path, threads: int) -> None:
    """Applies all edits with `apply_batch`; the text of each file is in memory once."""
    files, edits = pq.read_table(data / "files"), pq.read_table(data / "edits")
    row = {path: number for number, path in enumerate(files["path"].to_pylist())}
    texts = files["content"].combine_chunks()
    to.mkdir()
    writer = None
    for batch in edits.to_batches(max_chunksize=10_000):
        keys = pa.array([row[path] for path in batch["path"].to_pylist()], pa.int32())
        batch = batch.append_column("content", pa.DictionaryArray.from_arrays(keys, texts))
        stream = fuzzy_edit.apply_batch(batch, threads=threads)
        for answers in pa.RecordBatchReader.from_stream(stream):
            answers = answers.select(COLUMNS)
            writer = writer or pq.ParquetWriter(to / "0.parquet", answers.schema, compression="snappy")
            writer.write_batch(answers)
    assert writer is not None
    writer.close()


def by_spark(spark: Any, data: Path, to: Path, beside: bool) -> None:
    """Applies all edits on Spark, with a table of files or with the text in each row."""
    from fuzzy_edit.spark import apply_edits

    edits, files = (spark.read.parquet(str(data / name)) for name in ("edits", "files"))
    answers = apply_edits(edits, files) if beside else apply_edits(edits.join(files, "path"))
    answers.write.option("compression", "snappy").parquet(str(to))


def measured(work: Callable[[Path], None], to: Path) -> tuple[float, float, int]:
    """Returns the elapsed seconds and the CPU seconds of some work, and the number of rows that it wrote."""
    shutil.rmtree(to, ignore_errors=True)
    start, spent = time.perf_counter(), cpu_seconds()
    work(to)
    took, spent = time.perf_counter() - start, cpu_seconds() - spent
    rows = sum(pq.read_metadata(file).num_rows for file in to.glob("*.parquet"))
    shutil.rmtree(to)
    return took, spent, rows


def cpu_seconds() -> float:
    """Returns the CPU time of this process and all its descendants, including those that have ended."""
    tick = os.sysconf("SC_CLK_TCK")
    children: dict[int, list[int]] = {}
    spent: dict[int, float] = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(entry))
        spent[int(entry)] = sum(map(int, fields[11:15])) / tick
    total, left = 0.0, [os.getpid()]
    while left:
        process = left.pop()
        total += spent.get(process, 0.0)
        left.extend(children.get(process, []))
    return total


def sent(spark: Any) -> dict[str, float]:
    """Returns how many bytes the last Spark query shuffled, sent to Python and received from it."""
    store = spark._jsparkSession.sharedState().statusStore()
    executions = store.executionsList()
    last = executions.apply(executions.size() - 1).executionId()
    values, nodes = store.executionMetrics(last), store.planGraph(last).allNodes()
    wanted = {"data sent to Python workers", "data returned from Python workers", "shuffle bytes written"}
    bytes = dict.fromkeys(wanted, 0.0)
    for node in range(nodes.size()):
        metrics = nodes.apply(node).metrics()
        for number in range(metrics.size()):
            metric = metrics.apply(number)
            value = values.get(metric.accumulatorId())
            if metric.name() in wanted and value.isDefined():
                bytes[metric.name()] += parsed(value.get())
    return bytes


def parsed(text: str) -> float:
    """Parses a size in Spark's format: the total is on the last line, before the sizes per task."""
    number, unit = text.strip().split("\n")[-1].split(" (")[0].split()
    return float(number) * 1024 ** ["B", "KiB", "MiB", "GiB", "TiB"].index(unit)


def size(count: float) -> str:
    return f"{count / 1e9:.2f} GB" if count else "–"


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--folder", type=Path, required=True)
    ask.add_argument("--edits", type=int, default=250_000)
    ask.add_argument("--files", type=int, default=2_500)
    ask.add_argument("--lines", type=int, default=300)
    ask.add_argument("--rounds", type=int, default=3)
    ask.add_argument("--cases", help="labelled cases, whose drifted edits are measured, too")
    ask.add_argument("--drifted", type=int, default=100_000)
    asked = ask.parse_args()
    data = made(asked.folder, asked.edits, asked.files, asked.lines)
    warm = made(asked.folder, 20_000, 200, asked.lines)
    cores = len(os.sched_getaffinity(0))
    taken: dict[str, list[tuple[float, float, int]]] = {}
    moved: dict[str, dict[str, float]] = {}

    def run(name: str, work: Callable[[Path], None], edits: int = asked.edits) -> None:
        taken.setdefault(name, []).append(measured(work, asked.folder / "out"))
        took, spent, rows = taken[name][-1]
        assert rows == edits, (name, rows)
        print(f"{name}: {took:.1f} s, {spent:.1f} s of CPU", file=sys.stderr, flush=True)

    for workers in (1, 2):
        spark = cluster(asked.folder / "spark", workers)
        for beside in (True, False):
            for _ in range(2):
                measured(lambda to: by_spark(spark, warm, to, beside), asked.folder / "out")
        for _ in range(asked.rounds):
            if workers == 1:
                run("`apply_batch`, 1 core", lambda to: local(data, to, 1))
            else:
                run(f"`apply_batch`, {cores} cores", lambda to: local(data, to, cores))
            name = f"Spark, {workers} worker{'s' * (workers > 1)}"
            run(f"{name}, files sent once", lambda to: by_spark(spark, data, to, True))
            moved[f"{name}, files sent once"] = sent(spark)
        if workers == 2:
            run(f"{name}, a file in every row", lambda to: by_spark(spark, data, to, False))
            moved[f"{name}, a file in every row"] = sent(spark)
        spark.stop()
    if asked.cases:
        drifted = asked.folder / "drifted"
        shutil.rmtree(drifted, ignore_errors=True)
        write(drifted, *cases.drifted(asked.cases, asked.drifted))
        for _ in range(asked.rounds):
            run(DRIFTED.format(cores), lambda to: local(drifted, to, cores), asked.drifted)

    print("| | edits a second | to Python | back | shuffled | CPU hours for 10⁸ edits |")
    print("|---|---:|---:|---:|---:|---:|")
    rates = {}
    for name, rounds in taken.items():
        edits = rounds[0][2]
        rates[name] = edits / statistics.median(took for took, _, _ in rounds)
        hours = statistics.median(spent for _, spent, _ in rounds) / edits * MANY / 3600
        bytes = moved.get(name, {})
        cells = [
            f"{rates[name]:,.0f}",
            size(bytes.get("data sent to Python workers", 0)),
            size(bytes.get("data returned from Python workers", 0)),
            size(bytes.get("shuffle bytes written", 0)),
            f"{hours:.1f}",
        ]
        print(f"| {name} | {' | '.join(cells)} |")
    two = rates["Spark, 2 workers, files sent once"]
    print()
    print(
        f"{asked.edits:,} edits of {asked.files:,} files of {length(data):,.0f} characters, "
        f"the median of {asked.rounds} rounds. 2 workers to `apply_batch` on {cores} cores: "
        f"{two / rates[f'`apply_batch`, {cores} cores']:.2f}; to 1 worker: "
        f"{two / rates['Spark, 1 worker, files sent once']:.2f}. `apply_batch` on {cores} cores to 1: "
        f"{rates[f'`apply_batch`, {cores} cores'] / rates['`apply_batch`, 1 core']:.2f}."
    )
    if asked.cases:
        print(
            f"\nThe drifted edits: {asked.drifted:,} of {pq.read_table(drifted / 'files').num_rows:,} files of "
            f"{length(drifted):,.0f} characters."
        )


def length(data: Path) -> float:
    """Returns the mean length of the files in characters."""
    return statistics.mean(map(len, pq.read_table(data / "files")["content"].to_pylist()))


if __name__ == "__main__":
    main()
