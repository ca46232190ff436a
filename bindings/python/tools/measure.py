"""Measures the installed package: measure.py WHEEL. It prints a Markdown table."""

import os
import random
import statistics
import subprocess
import sys
import threading
import time

import fuzzy_edit
import pyarrow

ROUNDS = 7
IMPORT_ROUNDS = 21


def best(work):
    """Returns the shortest time of several runs, in seconds."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def import_ms():
    script = "import time; start = time.perf_counter(); import fuzzy_edit; print((time.perf_counter() - start) * 1e3)"
    run = [sys.executable, "-c", script]
    return statistics.median(float(subprocess.check_output(run)) for _ in range(IMPORT_ROUNDS))


def edits(count, lines):
    """Makes edits with wrongly indented old texts from a fixed seed."""
    rng = random.Random(7)
    for number in range(count):
        names = [f"{rng.choice('abcdefgh')}{rng.randrange(1000)}" for _ in range(lines)]
        file = [f"    let {name} = measure(input[{at}], {rng.randrange(100)});" for at, name in enumerate(names)]
        at = rng.randrange(lines - 3)
        old = [line.strip() for line in file[at : at + 3]]
        new = [old[0], old[1].replace("measure", "compute"), old[2]]
        yield "\n".join(file) + "\n", "\n".join(old), "\n".join(new)


def row(what, figure, limit, holds):
    print(f"| {what} | {figure} | {limit} | {'yes' if holds else 'NO'} |")


def main(wheel):
    print("| what | measured | wanted | holds |\n|---|--:|--:|---|")
    milliseconds = import_ms()
    row(f"import, median of {IMPORT_ROUNDS}", f"{milliseconds:.2f} ms", "under 5 ms", milliseconds < 5)
    size = os.path.getsize(wheel) / 1e6
    row("wheel", f"{size:.2f} MB", "under 3 MB", size < 3)

    cases = list(edits(400, 200))
    half = len(cases) // 2

    def apply_all(part):
        for text, old, new in part:
            fuzzy_edit.apply(text, old, new)

    def in_threads():
        threads = [threading.Thread(target=apply_all, args=[part]) for part in (cases[:half], cases[half:])]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert all(fuzzy_edit.apply(*case).ok for case in cases)
    one, two = best(lambda: apply_all(cases)), best(in_threads)
    row("`apply` in two threads, edits of 8 kB", f"{one / two:.2f} × one", "1.7 × one", one / two >= 1.7)

    cases = list(edits(20_000, 40))
    table = pyarrow.table(
        {
            "content": [text for text, _, _ in cases],
            "old": [old for _, old, _ in cases],
            "new": [new for _, _, new in cases],
        }
    )

    def batch(threads):
        return pyarrow.table(fuzzy_edit.apply_batch(table, threads=threads))

    assert all(batch(2)["ok"].to_pylist())
    one, two = best(lambda: batch(1)), best(lambda: batch(2))
    row("`apply_batch` on two cores, edits of 1.6 kB", f"{one / two:.2f} × one", "1.7 × one", one / two >= 1.7)
    print(f"\n`apply_batch`: {len(cases) / one:,.0f} edits a second on one core, {len(cases) / two:,.0f} on two.")


if __name__ == "__main__":
    main(sys.argv[1])
