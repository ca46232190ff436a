"""Compares this engine with other tools that land inexact edits, on sets that anyone can make: `compare.py`.

Everything is from PyPI and npm, at pinned versions. With --write, the tables become docs/comparison.md and its chart, and README.md gets the figures.
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import sets
import turns
from chart import drawn
from common import CARGO, ROOT, TARGET, build, environment, number, read, require, run, table

#: Each tool with the name that the table has for it.
PEERS = {
    "mpatch": "mpatch",
    "harnesskit": "harnesskit",
    "apply-edit-block": "apply-edit-block",
    "hermes-agent": "hermes-agent, its matcher",
    "aider-chat": "aider, `do_replace`",
    "diff-match-patch": "diff-match-patch",
    "git-apply": "`git apply --3way`",
    "patch": "`patch --fuzz=3`",
}
#: Our ladders. `full` answers as opencode 1.x does, byte for byte; npm has it only inside a compiled program.
LADDERS = {"adaptive": "**fuzzy-edit**", "full": "opencode 1.x, as our ladder `full`"}
LADDERS |= {name: f"ladder `{name}`" for name in ("full-guarded", "opencode", "conservative", "boocode", "reference")}
PUBLIC = {"formatted": "Formatted since it was read", "slips": "Slips", "commits": "Another version"}
TUNED = {"hand_written": "Written by hand"}
HAND_WRITTEN = ROOT / "crates/facade/fuzzy-pipeline/testdata/hand_written.jsonl"
#: The program that makes edits, and judges results.
ACCURACY = [CARGO, "run", "--quiet", "--release", "--package", "fuzzy-accuracy", "--"]
#: Tools that need many seconds for an edit answer this number of the edits of a set.
SAMPLES = {"harnesskit": 10}
VERDICTS = {"right": "right", "style": "whitespace", "refused": "refused", "wrong": "wrong", "false": "false “done”"}
HEADER = ["tool", *(f"{verdict}, %" for verdict in VERDICTS.values()), "ms an edit"]
DOCUMENT, CHART, README = ROOT / "docs/comparison.md", ROOT / "docs/comparison.svg", ROOT / "README.md"


def made(folder):
    """Makes the public sets and returns all sets by name."""
    shutil.rmtree(folder / "work", ignore_errors=True)
    cases = {"formatted": sets.formatted(folder), "commits": sets.commits(folder)}
    texts, saved = folder / "work/texts", folder / "work/slips.jsonl"
    for package in sets.PYTHON + sets.NPM:
        for path, text in sets.files(package, folder).items():
            place = texts / package / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, newline="")
    # Half of the edits are plain ones, which are left out. The result of the engine is not the matter here.
    options = ["--texts", texts, "--edits", 4 * sets.SLIPS, "--seed", sets.SEED, "--save", saved, "--ladder", "adaptive"]
    subprocess.run([*ACCURACY, "slips", *map(str, options)], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    require(saved.is_file(), "`cargo xtask fuzz --slips --save` wrote no edits")
    cases["slips"] = sets.slips(folder, saved)
    cases["hand_written"] = [json.loads(line) for line in HAND_WRITTEN.read_text().splitlines()]
    for name, listed in cases.items():
        for case in listed:
            case.setdefault("line", sets.line(case))
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(case) + "\n" for case in listed))
    return {name: cases[name] for name in (*PUBLIC, *TUNED)}


def of_ladder(command, ladder, cases):
    """Returns the answers of a ladder by case, as (text or None, microseconds)."""
    lines = "".join(json.dumps({key: case[key] for key in ("id", "content", "old", "new")}) + "\n" for case in cases)
    answers = read(command, "batch", "--time", "--ladder", ladder, stdin=None, input=lines)
    contents = {case["id"]: case["content"] for case in cases}
    found = {}
    for answer in map(json.loads, answers.splitlines()):
        text = answer.get("output", contents[answer["id"]]) if answer["ok"] else None
        found[answer["id"]] = (text, answer["us"])
    return found


def of_peer(python, name, cases):
    # A tool may look for settings and models; it gets an empty home and no repository.
    variables = {"HOME": str(TARGET / "peers/home"), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    os.makedirs(variables["HOME"], exist_ok=True)
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    options = {"input": lines, "env": variables, "cwd": variables["HOME"], "text": True, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    done = subprocess.run([python, HERE / "answer.py", name], **options)
    require(done.returncode == 0, f"{name} does not answer: {done.stderr[-500:]}")
    crashes = done.stderr.count("\n")
    if crashes:
        print(f"{name}: {crashes} lines of errors; the first: {done.stderr.splitlines()[0][:150]}", flush=True)
    answers = map(json.loads, done.stdout.splitlines())
    return {answer["id"]: (answer["output"], answer["us"]) for answer in answers}


def contestants(command):
    """Returns each contestant with its version and a function that answers cases."""
    for ladder, title in LADDERS.items():
        version = read(command, "--version").split()[1]
        yield ladder, title, version, lambda cases, ladder=ladder: of_ladder(command, ladder, cases)
    for name, title in PEERS.items():
        listed = HERE / "requirements" / f"{name}.txt"
        if listed.is_file():
            try:
                python = environment(f"tools/peers/requirements/{name}.txt") / "python"
            except SystemExit as error:
                print(f"{name} is left out: {error}", flush=True)
                continue
            version = re.search(rf"(?mi)^{name}==(.*)$", listed.read_text())[1]
        else:
            program = name.split("-")[0]
            if not shutil.which(program):
                print(f"{name} is left out: {program} is not installed", flush=True)
                continue
            python, version = sys.executable, re.search(r"\d[\d.]*\d", read(program, "--version"))[0]
        yield name, title, version, lambda cases, name=name, python=python: of_peer(python, name, cases)


def verdicts(cases, answers, formatters):
    """Counts the verdicts of the answers, and returns them with the mean time in microseconds."""
    judged, unsure = collections.Counter(), []
    texts = [answers[case["id"]][0] for case in cases]
    # An unchanged text is no result.
    results = [None if text == case["content"] else text for case, text in zip(cases, texts)]
    lines = "".join(json.dumps({**case, "output": result}) + "\n" for case, result in zip(cases, results))
    names = read(*ACCURACY, "judge", cwd=ROOT, stdin=None, input=lines).split()
    for case, text, name in zip(cases, texts, names, strict=True):
        if name == "WRONG" and "formatter" in case:
            unsure.append((case, text))
        elif name == "refused" and text is not None:
            # The tool says that it is done, and changed nothing.
            judged["false"] += 1
        else:
            judged[{"tails": "style", "whitespace": "style"}.get(name, name.lower())] += 1
    for extension, formatter in formatters.items():
        of_it = [(case, text) for case, text in unsure if case["formatter"] == extension]
        shutil.rmtree(TARGET / "peers/work/answers", ignore_errors=True)
        texts = formatter([text for _, text in of_it], TARGET / "peers/work/answers") if of_it else []
        for (case, _), text in zip(of_it, texts):
            judged["style" if text == case["expected"] else "wrong"] += 1
    return judged, sum(us for _, us in answers.values()) / len(answers)


def percent(share):
    return f"{100 * share:.1f} %"


def rows(results, name):
    for title, _, by_set in results:
        judged, us = by_set[name]
        sample = f" ({judged.total()} edits)" if title in SAMPLES else ""
        shares = (f"{100 * judged[verdict] / judged.total():.1f}" for verdict in VERDICTS)
        yield [title + sample, *shares, number(us / 1000)]


def listed(titles):
    *others, last = (title.replace(", its matcher", "").replace(", `do_replace`", "") for title in titles)
    return f"{', '.join(others)} and {last}" if others else last


def reading(results, name):
    """Returns the sentences that read the table of a set: the tools that are most often right, and those that are least often wrong."""
    tools = {title: by_set[name][0] for title, _, by_set in results if title not in SAMPLES}
    right = {title: judged["right"] / judged.total() for title, judged in tools.items()}
    wrong = {title: (judged["wrong"] + judged["false"]) / judged.total() for title, judged in tools.items()}
    best = sorted(right, key=lambda title: -right[title])[:3]
    least = min(wrong.values())
    safest = [title for title in wrong if wrong[title] == least]
    text = f"Most are right with {listed([f'{title} ({percent(right[title])})' for title in best])}. "
    text += f"Fewest are wrong with {listed(safest)} ({percent(least)})"
    ours = [title for title in wrong if title == LADDERS["adaptive"] and title not in safest]
    return textwrap.fill(text + "".join(f", with {title} {percent(wrong[title])}" for title in ours) + ".", 120) + "\n\n"


def page(results, cases):
    def section(names):
        for name, title in names.items():
            digest = hashlib.sha256("".join(json.dumps(case) for case in cases[name]).encode()).hexdigest()
            refused = sum(case["expected"] is None for case in cases[name])
            yield f"\n### {title}\n\n{len(cases[name])} edits, {refused} of which have to be refused. SHA-256 `{digest[:16]}`.\n\n"
            yield reading(results, name)
            yield table(HEADER, list(rows(results, name)))

    text = DOCUMENT.read_text()
    peers = [f"{title.split(',')[0]} {version}" for title, version, _ in results if title in PEERS.values()]
    versions = textwrap.fill(f"Versions: {', '.join(peers)}.", 120) + "\n"
    for name, sections, versions in (("public", PUBLIC, versions), ("tuned", TUNED, "")):
        text = with_section(text, name, versions + "".join(section(sections)))
    return text


def with_section(text, name, section):
    """Replaces a section of the page between its marks."""
    marks = rf"(<!-- {name}: [^>]*-->\n).*(\n<!-- /{name} -->)"
    return re.sub(marks, lambda found: found[1] + section + found[2], text, flags=re.DOTALL)


def shares(by_set):
    """Returns the share of each verdict in the public sets, which count alike, whatever their numbers of edits."""
    counts = [by_set[name][0] for name in PUBLIC]
    return [sum(judged[verdict] / judged.total() for judged in counts) / len(counts) for verdict in VERDICTS]


def summary(text, results):
    """Writes a sentence with the shares of right and wrong results into the README."""
    listed = {}
    for title, _, by_set in results:
        if not title.startswith("ladder") and title not in SAMPLES:
            right, *_, wrong, false = shares(by_set)
            listed[title.split(",")[0]] = (right, f"{100 * right:.0f} / {100 * (wrong + false):.1f} %")
    best_first = sorted(listed, key=lambda title: -listed[title][0])
    figures = textwrap.fill(", ".join(f"{title} {listed[title][1]}" for title in best_first), 120)
    return with_section(text, "peers", f"{figures}.")


def chart(results):
    """Draws the shares of the public sets together."""
    CHART.write_text(drawn([[re.sub(r"[*`]", "", title), *shares(by_set)] for title, _, by_set in results]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, prog="cargo xtask peers")
    parser.add_argument("--write", action="store_true", help="write docs/comparison.md, its chart and the figures of README.md")
    parser.add_argument("--answers", type=pathlib.Path, metavar="FILE", help="write each answer, a line of JSON each")
    parser.add_argument("--turns", action="store_true", help="compare tools that take back what an agent did, instead")
    arguments = parser.parse_args()
    if arguments.turns:
        made = turns.compared(build("release", "edit"))
        print(f"\n{made}")
        if arguments.write:
            DOCUMENT.write_text(with_section(DOCUMENT.read_text(), "turns", f"\n{made}"))
        return
    folder = TARGET / "peers"
    folder.mkdir(parents=True, exist_ok=True)
    command = build("release", "edit")
    cases = made(folder)
    formatters = {".py": sets.Ruff(), ".js": sets.Prettier(folder)}
    results, lines = [], []
    for name, title, version, answer in contestants(command):
        by_set = {}
        for set_name, listed in cases.items():
            listed = listed[: SAMPLES.get(name)]
            answers = answer(listed)
            by_set[set_name] = verdicts(listed, answers, formatters)
            lines += [json.dumps({"tool": name, "id": id, "output": text}) for id, (text, _) in answers.items()]
        print(f"{title} {version}: {', '.join(f'{key} {dict(judged)}' for key, (judged, _) in by_set.items())}", flush=True)
        results.append((title, version, by_set))
    if arguments.answers:
        arguments.answers.write_text("\n".join(lines) + "\n")
    for name in cases:
        print(f"\n{name}\n{table(HEADER, list(rows(results, name)))}")
    if arguments.write:
        DOCUMENT.write_text(page(results, cases))
        README.write_text(summary(README.read_text(), results))
        chart(results)


if __name__ == "__main__":
    main()
