"""Prints the figures of scenarios as tables, relative to M, and whether the targets hold: `figures.py FILE`.

M is one substring pass over the same haystack. With --write, the targets and the whole processes become
docs/performance.md.
"""

import argparse
import json
import math
import pathlib

import processes
from common import ROOT, number, table

QUESTIONS = {
    "ladders": "Ladders: a needle of 10 lines",
    "growth": "Growth with the haystack: a needle of 10 lines, in multiples of M",
    "needle": "Growth with the needle: 50,000 lines, in multiples of M",
    "adversarial": "Texts made to be slow",
    "unicode": "Text outside ASCII",
    "edits": "Many edits on one document of 10,000 lines; the yardstick is the copy and the splices",
    "refusals": "Refused edits with every report; the yardstick is the decision alone",
    "document": "Documents",
    "strategies": "Rungs alone, all candidates: 10,000 lines, a needle of 10",
    "distance": "Distances of two texts, and of all windows of a file",
}
TEXT = """\
# Performance

For readers who doubt the speed. Written by `cargo xtask bench --write`; do not edit.

**M** is one `memchr::memmem` pass over the same haystack for an absent text, measured alternately with the scenario.
The exponent is that of the time as a power of the number of bytes, from 10,000 lines, by least squares.
[benches/README.md](../benches/README.md) describes the measurement of a scenario. `cargo xtask bench` prints every
scenario, and writes all figures to `target/bench/figures.jsonl`.
"""


class Figure(dict):
    """A measured scenario; times in nanoseconds."""

    __getattr__ = dict.get

    @property
    def id(self):
        return f"{self.question}/{self.subject}/{self.case}/{self.lines}"

    @property
    def passes(self):
        return self.ns / self.pass_ns

    @property
    def beside(self):
        """The time as a multiple of the yardstick, if the scenario has one."""
        return self.yardstick_ns and self.ns / self.yardstick_ns

    def is_like(self, **values):
        return all(self[key] == value for key, value in values.items())


def exponent(group, value):
    """Returns the exponent of a value as a power of the bytes; shorter texts are in a faster cache."""
    points = [(math.log(it.bytes), math.log(value(it))) for it in group if it.lines >= 10_000]
    if len(points) < 2:
        return None
    xs, ys = zip(*points)
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x in xs)


def time(ns):
    scale = next((it for it in [(1e9, "s"), (1e6, "ms"), (1e3, "µs")] if ns >= it[0]), (1, "ns"))
    return f"{number(ns / scale[0])} {scale[1]}"


def dash(value, write=number):
    return "–" if value is None else write(value)


def details(figures):
    """A row for each scenario."""
    header = ["who", "case", "class", "answer", "lines", "time", "M", "yardsticks", "naive", "allocations"]
    header.append("peak bytes")
    rows = []
    for it in figures:
        naive = it.naive_ns and it.naive_ns / it.ns
        row = [it.subject, it.case, it["class"], it.answer.split(" ")[0], str(it.lines), time(it.ns), it.passes]
        rows.append([*row, dash(it.beside), dash(naive), str(it.allocations), str(it.peak_bytes)])
    return table(header, rows)


def by_size(figures, key):
    """A row for each ladder and case: M at each size, the exponent, and the times that a naive search takes."""
    sizes = sorted({it[key] for it in figures})
    groups = {}
    for it in figures:
        case = it.case if key == "lines" else it.case.split(" ", 1)[-1]
        groups.setdefault((it.subject, case, it["class"]), {})[it[key]] = it
    rows = []
    for names, group in groups.items():
        cells = [
            dash(group.get(size), lambda it: ("refused at " * (it.answer == "refused")) + number(it.passes))
            for size in sizes
        ]
        naive = [it.naive_ns / it.ns for it in group.values() if it.naive_ns]
        heap = max(it.peak_bytes for it in group.values())
        fit = exponent(group.values(), lambda it: it.ns) if key == "lines" else None
        rows.append([*names, *cells, dash(fit), dash(max(naive, default=None)), str(heap)])
    return table(["ladder", "case", "class", *map(str, sizes), "exponent", "naive takes, times", "peak bytes"], rows)


def is_full(it):
    return it.subject == "full" and it.question in ("ladders", "growth", "needle", "unicode")


def is_hostile(it):
    special = it.case.startswith(("deadline", "within")) or it.lines == 10_000
    return it.is_like(question="adversarial", subject="full") and not special


def is_loose(it):
    loose = it.subject in ("boocode", "reference") and it["class"] == "absent"
    return loose and it.is_like(question="growth", lines=50_000)


def passes(applies):
    return lambda it, _: it.passes if applies(it) else None


def beyond(it, figures):
    """A longer text is in a slower cache, which slows a single pass and a search equally."""
    if it.question not in ("growth", "adversarial"):
        return None
    like = [other for other in figures if other.is_like(question=it.question, subject=it.subject, case=it.case)]
    fit = exponent(like, lambda it: it.passes)
    return fit and 1 + fit


def an_edit(it, figures):
    if not it.is_like(question="edits", subject="full", case="100 exact"):
        return None
    one = next(it for it in figures if it.is_like(question="edits", subject="full", case="1 exact"))
    return (it.ns - one.ns - it.yardstick_ns) / 100 / it.pass_ns


def more_allocations(it, figures):
    like = {"question": "growth", "subject": it.subject, "case": it.case, "lines": 10_000}
    small = [other for other in figures if other.is_like(**like)]
    return it.allocations - small[0].allocations if it.question == "growth" and it.lines == 200_000 and small else None


#: The targets: the name, the unit, the limit, and the value of a figure (None: the target does not apply).
TARGETS = [
    (
        "exact search in 1 MB and more, relative to a count of all occurrences with memmem",
        "×",
        1.15,
        lambda it, _: it.beside if is_full(it) and it.bytes >= 1_000_000 else None,
    ),
    (
        "a word of the first or last line is absent, 1 to 100 lines",
        "M",
        10,
        passes(lambda it: is_full(it) and it["class"] == "absent" and it.needle_lines <= 100),
    ),
    (
        "near miss: all words and lines occur, or only a middle line does not",
        "M",
        60,
        passes(lambda it: is_full(it) and it["class"] == "near miss"),
    ),
    (
        "only the indentation differs, 10 lines",
        "M",
        6,
        passes(lambda it: is_full(it) and it.case.endswith("indent") and it.needle_lines == 10),
    ),
    (
        "50,000 equal lines, last needle line absent",
        "M",
        400,
        passes(lambda it: is_hostile(it) and it.case == "equal lines"),
    ),
    ("other adversarial texts", "M", 400, passes(lambda it: is_hostile(it) and it.case != "equal lines")),
    ("boocode and reference, 50,000 lines, absent", "M", 2000, passes(is_loose)),
    ("growth from 10,000 to 200,000 lines, relative to M", "exponent", 1.05, beyond),
    ("100 edits of one document, minus one edit and the splices", "M an edit", 2, an_edit),
    (
        "a refused edit with every report, relative to the decision alone",
        "×",
        1.3,
        lambda it, _: it.beside if it.question == "refusals" else None,
    ),
    (
        "heap of a search in 200,000 lines",
        "bytes a line",
        64,
        lambda it, _: it.peak_bytes / it.lines if it.is_like(question="growth", lines=200_000) else None,
    ),
    ("allocations of a search in 200,000 lines, minus those in 10,000", "", 0, more_allocations),
    (
        "an edit and its reports in 200,000 lines of few kinds, relative to the time limit",
        "×",
        1.2,
        lambda it, _: it.ns / 50e6 if it.case.startswith("within 50 ms") else None,
    ),
    (
        "overrun of a deadline",
        "ms",
        5,
        lambda it, _: max(it.ns - 2e6, 0) / 1e6 if it.case.startswith("deadline") else None,
    ),
]

#: The reasons why limits are missed, where they are known.
REASONS = {
    "only the indentation differs, 10 lines": "Parts of a search do not depend on the size of the text, and a pass over "
    "1,000 lines takes a microsecond.",
    "other adversarial texts": "Each of the equal lines is a place of the text, and `full` compares them all, as opencode "
    "does; a search ends at its limit of time.",
    "growth from 10,000 to 200,000 lines, relative to M": "A text of two or three characters has no rare byte by which a "
    "search could skip lines.",
}


def in_short(figures):
    """What the figures say to a user of the ladder adaptive, in sentences."""

    def of(case):
        like = {"question": "growth", "subject": "adaptive", "case": case, "lines": 10_000}
        return next((it for it in figures if it.is_like(**like)), None)

    exact, repaired, refused = of("exact"), of("indent"), of("absent-all")
    if not (exact and repaired and refused):
        return "The scenarios of the ladder adaptive were not measured.\n"
    return (
        f"In a file of 10,000 lines ({number(exact.bytes / 1e6)} MB), an edit whose text is exact is found in "
        f"{time(exact.ns)}, one whose indentation differs in {time(repaired.ns)}, and a text that the file does not "
        f"have is refused after {time(refused.ns)}. The search needs {number(repaired.peak_bytes / repaired.lines)} bytes of "
        "memory for each line. A process adds its start: see *Whole processes*. So a user notices none of them; "
        "beside the call of a model, which takes seconds, the engine costs nothing. No search takes longer than its limit "
        "of time, whatever the texts are.\n"
    )


def targets(figures):
    """Each target with its worst scenario, and a sentence for each one that is missed."""
    rows, reasons = [], []
    for what, unit, limit, value in TARGETS:
        values = [(value(it, figures), it.id) for it in figures]
        worst, name = max(((value, name) for value, name in values if value is not None), default=(None, ""))
        holds = "not measured" if worst is None else "yes" if worst <= limit else "NO"
        rows.append([what, name, holds, f"{number(limit)} {unit}", "–" if worst is None else f"{number(worst)} {unit}"])
        if holds == "NO":
            reasons.append(f"- *{what}*: {REASONS.get(what, 'the reason is not known yet.')}\n")
    missed = "\nMissed:\n\n" + "".join(reasons) if reasons else ""
    return table(["target", "worst", "holds", "at most", "measured"], rows) + missed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=pathlib.Path, help="figures, one JSON object a line")
    parser.add_argument("--processes", action="store_true", help="also measure whole processes")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md")
    parser.add_argument("--machine", default="", help="the machine, for the document")
    chosen = parser.parse_args()
    figures = [Figure(json.loads(line)) for line in chosen.file.read_text().splitlines()]
    for question, title in QUESTIONS.items():
        of = [it for it in figures if it.question == question]
        if of:
            key = {"growth": "lines", "needle": "needle_lines"}.get(question)
            print(f"\n## {title}\n\n{by_size(of, key) if key else details(of)}", end="")
    parts = [("In short", in_short(figures)), ("Targets", targets(figures))]
    if chosen.processes:
        parts.append(("Whole processes", processes.tables()))
    text = "".join(f"\n## {title}\n\n{part}" for title, part in parts)
    print(text)
    if chosen.write:
        (ROOT / "docs/performance.md").write_text(f"{TEXT}\nMachine: {chosen.machine}.\n{text}")


if __name__ == "__main__":
    main()
