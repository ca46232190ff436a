"""Compares the answers of this tree's command with those of another commit's, and fails on any difference.

Labelled edits go through `batch`, which returns the resulting bytes, the confidence, the code and the proposal, and
through `locate --json`, which returns the places and the conflicts; labelled patches through `patch --dry-run --json`.
Generated edits go through `batch` alone. All fields are compared but the rule and the texts for people. The ladder is
the default one, and the timeout is so long that a slow machine changes no answer.
"""

import argparse
import concurrent.futures
import gzip
import json
import os
import pathlib
import subprocess
import tempfile

from common import CARGO, ROOT, TARGET, build, read, require, run, table

NOT_COMPARED = {"rule", "message", "next_step", "note"}
TIMEOUT = ["--timeout-ms", "600000"]
#: The number of differences whose fields are printed.
PRINTED = 20


def of_commit(commit):
    """Builds the command of a commit and keeps it. All commits share one checkout and one target directory."""
    commit = read("git", "rev-parse", "--verify", commit + "^{commit}", cwd=ROOT).strip()
    folder = TARGET / "answers"
    kept = folder / f"fuzzy-edit-{commit}"
    if not kept.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        checkout = folder / "checkout"
        if not checkout.is_dir():
            run("git", "clone", "--quiet", "--shared", "--no-checkout", ROOT, checkout)
        run("git", "checkout", "--quiet", "--force", "--detach", commit, cwd=checkout)
        target = {**os.environ, "CARGO_TARGET_DIR": str(folder / "target")}
        run(CARGO, "build", "--quiet", "--release", "--package", "fuzzy-edit-cli", cwd=checkout, env=target)
        (folder / "target/release/fuzzy-edit").rename(kept)
    return kept


def sets(given, generated):
    """Yields the name of each set, whether it is labelled, and its cases."""
    if not given:
        common = read("git", "rev-parse", "--path-format=absolute", "--git-common-dir", cwd=ROOT).strip()
        given = [pathlib.Path(common).parents[1] / "shared/data"]
    for path in given:
        in_folder = path.is_dir() and [file for end in ("-dev", "-train") for file in path.glob(f"*{end}.jsonl*")]
        require(in_folder != [], f"no -dev or -train set in {path}")
        for file in sorted(in_folder or [path]):
            with (gzip.open if file.suffix == ".gz" else open)(file, "rt", encoding="utf-8") as lines:
                yield file.name, True, [json.loads(text) for text in lines if text.strip()]
    for seed in range(1, 5) if generated else ():
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as saved:
            # The result is rated, too, and may be an error; only the edits are of interest here.
            options = ["--edits", str(-(-generated // 4)), "--seed", str(seed), "--save", saved.name]
            subprocess.run([CARGO, "xtask", "fuzz", "--slips", *options], cwd=ROOT, stdout=subprocess.DEVNULL)
            yield f"generated, seed {seed}", False, [json.loads(text) for text in saved]


def batch(command, cases):
    """Returns the answers of `batch` to some edits, in their order."""
    text = "".join(json.dumps(case) + "\n" for case in cases)
    done = subprocess.run([command, "batch", *TIMEOUT], input=text, stdout=subprocess.PIPE, encoding="utf-8")
    answers = done.stdout.splitlines()
    require(len(answers) == len(cases), f"{command} gave {len(answers)} answers to {len(cases)} edits")
    return map(json.loads, answers)


def in_files(command, files, *words):
    """Returns the answer of a verb in a folder with these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, "tree", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        home = {**os.environ, "HOME": folder, "XDG_STATE_HOME": folder}
        options = {"cwd": folder + "/tree", "env": home, "stdin": subprocess.DEVNULL, "capture_output": True}
        done = subprocess.run([command, *words, "--json", *TIMEOUT], **options)
        require(done.stdout, f"`{' '.join(words)}` printed no JSON: {done.stderr.decode()}")
        return json.loads(done.stdout)


def locate(command, case):
    line = ["--line", str(case["line"])] if case.get("line") else []
    files = {"file": case["content"], "old": case["old"], "new": case["new"]}
    options = ["--all"] * case.get("replace_all", False) + line
    return in_files(command, files, "locate", "file", "--old", "@old", "--new", "@new", *options)


def patch(command, case):
    return in_files(command, {**case["files"], "../patch": case["patch"]}, "patch", "../patch", "--dry-run")


def compared(answer):
    """Returns the compared part of an answer. A null field equals a missing one."""
    if isinstance(answer, list):
        return [compared(value) for value in answer]
    if not isinstance(answer, dict):
        return answer
    fields = ((name, value) for name, value in answer.items() if value is not None and name not in NOT_COMPARED)
    return {name: compared(value) for name, value in fields}


def differences(commands, cases, labelled, pool):
    """Yields each verb and case with different answers, the names of the differing fields, and both answers."""
    edits = [case for case in cases if "patches" not in case]
    texts = [case for case in cases if "patches" in case]
    patches = [
        {"id": f"{case['id']} {kind}", "files": case["files"], "patch": text}
        for case in texts
        for kind, text in case["patches"].items()
    ]
    verbs = [("batch", edits, [batch(command, edits) for command in commands if edits])]
    for verb, answer, of in [("locate", locate, edits if labelled else []), ("patch", patch, patches)]:
        verbs.append((verb, of, [pool.map(lambda case, by=by, ask=answer: ask(by, case), of) for by in commands]))
    for verb, of, answers in verbs:
        for case, earlier, present in zip(of, *answers or [[], []]):
            earlier, present = compared(earlier), compared(present)
            if earlier != present:
                names = {name for name in {**earlier, **present} if earlier.get(name) != present.get(name)}
                yield {"verb": verb, "id": case["id"], "differing": sorted(names), "answers": [earlier, present]}


parser = argparse.ArgumentParser(prog="cargo xtask answers", description=__doc__)
other = parser.add_mutually_exclusive_group(required=True)
other.add_argument("--against", type=pathlib.Path, metavar="BINARY", help="the other commit's command")
other.add_argument("--since", metavar="COMMIT", help="the other commit; it is built once below target/answers")
parser.add_argument("files", type=pathlib.Path, nargs="*", help="sets, or folders of -dev and -train sets")
parser.add_argument("--generated", type=int, default=100_000, metavar="N", help="generated edits, of fixed seeds")
parser.add_argument("--differences", type=pathlib.Path, metavar="FILE", help="write every difference to this file")
given = parser.parse_args()
both = [given.against.resolve() if given.against else of_commit(given.since), build("release", "")]
rows, found = [], []
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for name, labelled, cases in sets(given.files, given.generated):
        here = list(differences(both, cases, labelled, pool))
        for case in here[: max(0, PRINTED - len(found))]:
            print(name, case["verb"], "of", case["id"], ", ".join(case["differing"]))
        found += [{"set": name, **case} for case in here]
        # An edit that differs under two verbs counts once.
        rows.append([name, str(len(cases)), str(len({case["id"] for case in here}))])
print(table(["set", "cases", "differing"], rows), end="")
if given.differences:
    given.differences.write_text("".join(json.dumps(case) + "\n" for case in found))
require(not found, f"{len(found)} answers differ")
