"""Measures whole processes: relative to git, with two jobs, the MCP server. `processes.py all | restore`.

`restore` ends with an error if restores of a few files are too slow.
"""

import json
import os
import pathlib
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from common import build, number, read, require, table

RUNS, FEW_RUNS, JOB_RUNS = 61, 31, 11
PATIENCE = 120


def line(at):
    return f"    let value_{at} = measure(input[{at}], {at % 101});\n"


def lines(start, end):
    return "".join(map(line, range(start, end)))


def median_ms(folder, runs, commands, prepare=(), given="null", place="."):
    """Measures commands with hyperfine, which ends if one fails; returns their medians in milliseconds."""
    figures = folder / "hyperfine.json"
    words = ["hyperfine", "--shell=none", "--style=none", "--warmup=3", f"--runs={runs}", f"--input={given}"]
    words += [f"--prepare={command}" for command in prepare]
    environment = os.environ | {"XDG_STATE_HOME": str(folder / "state"), "GIT_CEILING_DIRECTORIES": str(folder)}
    read(*words, f"--export-json={figures}", *commands, cwd=folder / place, env=environment)
    results = json.loads(figures.read_text())["results"]
    return [1000 * statistics.median(it["time_wall_clock"]["value"] for it in one["measurements"]) for one in results]


def scratch():
    """Makes a folder, in memory if there is such a file system."""
    return tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)


def row(what, ours, theirs, at_most):
    return [what, ours, theirs, ours / theirs, at_most, "yes" if ours / theirs <= at_most else "NO"]


def apply(program, folder):
    text, old = lines(0, 20_000), lines(10_000, 10_003)
    new = old.replace("measure", "compute", 2)
    for name, content in {"a.rs": text, "b.rs": text.replace(old, new), "old": old, "new": new}.items():
        (folder / name).write_text(content)
    for name in ("ours", "git"):
        (folder / name).mkdir()
    diff = subprocess.run(
        ["git", "diff", "--no-index", "a.rs", "b.rs"], cwd=folder, capture_output=True, text=True
    ).stdout
    diff = diff[diff.index("--- ") :].replace("a/a.rs", "a/file.rs").replace("b/b.rs", "b/file.rs")
    (folder / "edit.diff").write_text(diff)
    commands = [f"{program} apply ours/file.rs --old @old --new @new", "git -C git apply ../edit.diff"]
    prepare = ["cp a.rs ours/file.rs", "cp a.rs git/file.rs"]
    both = median_ms(folder, RUNS, commands, prepare)
    results = {(folder / name / "file.rs").read_text() for name in ("ours", "git")}
    require(results == {text.replace(old, new)}, "fuzzy-edit and git made different files")
    start = median_ms(folder, RUNS, [f"{program} --version", "git --version"])
    return [
        row("`apply` of one edit in 1 MB, and `git apply` of the equivalent patch", *both, 3),
        row("`--version`, and `git --version`", *start, 2),
    ]


def hooks(program, folder):
    (folder / "file.rs").write_text(lines(0, 200))
    old, rows = lines(100, 103), []
    for what, written, at_most in [("exact edit", old, 3), ("edit with tabs for spaces", old.replace("    ", "\t"), 5)]:
        edit = {
            "file_path": str(folder / "file.rs"),
            "old_string": written,
            "new_string": old.replace("measure", "compute", 2),
        }
        (folder / "event.json").write_text(json.dumps({"cwd": str(folder), "tool_name": "replace", "tool_input": edit}))
        commands = [f"{program} hook gemini tool-before", f"{program} --version"]
        rows.append(
            row(
                f"`hook` of an {what} in 10 kB, and `fuzzy-edit --version`",
                *median_ms(folder, RUNS, commands, given="event.json"),
                at_most,
            )
        )
    call = {"cwd": str(folder), "session_id": "s1", "tool_name": "run_shell_command"}
    call |= {"tool_input": {"command": "printf '%s' '" + "x" * 10_000 + "'"}}
    (folder / "event.json").write_text(json.dumps(call))
    for event in ("tool-before", "tool-after"):
        commands = [f"{program} hook gemini {event}", f"{program} --version"]
        times = median_ms(folder, RUNS, commands, given="event.json")
        rows.append(row(f"`hook {event}` of a command of 10 kB, and `fuzzy-edit --version`", *times, 1.5))
    environment = os.environ | {"XDG_STATE_HOME": str(folder / "state")}
    counted = read(program, "hook", "--stats", "--json", cwd=folder, env=environment)
    # The warm-up is counted, too.
    expected = f'"exact":{RUNS + 3},"repaired":{RUNS + 3},"refused":0'
    require(expected in counted, f"the hooks did not have the measured results: {counted}")
    return rows


def restore(program, folder):
    repository = folder / "repo"
    repository.mkdir()
    for at in range(100):
        (repository / f"file-{at}.txt").write_text(f"first {at}\n" * 50)
    (folder / "changed").mkdir()
    for at in range(5):
        (folder / f"changed/file-{at}.txt").write_text("changed\n" * 50)
    for words in (
        "init --quiet",
        "add --all",
        "-c user.name=b -c user.email=b@localhost commit --quiet --message=first",
    ):
        read("git", "-C", repository, *words.split())
    environment = os.environ | {"XDG_STATE_HOME": str(folder / "state")}
    created = json.loads(read(program, "checkpoint", "create", "--json", cwd=repository, env=environment))
    change = "cp " + " ".join(f"../changed/file-{at}.txt" for at in range(5)) + " ."
    commands = [f"{program} checkpoint restore {created['id']} --yes", "git status --porcelain"]
    ours, theirs = median_ms(folder, FEW_RUNS, commands, [change, change], place="repo")
    # The last process was `git status`, after a change.
    read(*commands[0].split(), cwd=repository, env=environment)
    restored = all((repository / f"file-{at}.txt").read_text() == f"first {at}\n" * 50 for at in range(5))
    require(restored, "a restore left a changed file")
    return [row("`checkpoint restore` of 5 of 100 files, and `git status`", ours, theirs, 25)]


def steps(program, folder):
    """Measures the hook before a command of a shell, in a running turn of a repository of 20,000 files."""
    repository = folder / "repo"
    for at in range(200):
        (repository / f"{at}").mkdir(parents=True)
        for file in range(100):
            (repository / f"{at}/{file}.txt").write_text(f"{at} {file}\n" * 20)
    for words in ("init --quiet", "add --all", "-c user.name=b -c user.email=b@localhost commit --quiet --message=first"):
        read("git", "-C", repository, *words.split())
    change = "import pathlib, time\nfor at in range(10): pathlib.Path(f'{at}/1.txt').write_text(str(time.time()))\n"
    (folder / "change.py").write_text(change)
    environment = os.environ | {"XDG_STATE_HOME": str(folder / "state")}
    event = {"cwd": str(repository), "session_id": "s1", "prompt": "Work."}
    hook = [program, "hook", "gemini"]
    read(*hook, "turn-begin", stdin=None, input=json.dumps(event), cwd=repository, env=environment)
    event |= {"tool_name": "run_shell_command", "tool_input": {"command": "touch made"}}
    (folder / "event.json").write_text(json.dumps(event))
    commands = [" ".join(map(str, [*hook, "tool-before"])), "git status --porcelain"]
    rows = []
    for what, prepare, at_most in [("no change", (), 2.5), ("10 changes", ["python3 ../change.py"] * 2, 4)]:
        ours, theirs = median_ms(folder, 20, commands, prepare, given="../event.json", place="repo")
        rows.append(row(f"a step in 20,000 files with {what}, less 100 ms, and `git status`", ours - 100, theirs, at_most))
    shown = json.loads(read(program, "turns", "show", "1", "--stat", "--json", cwd=repository, env=environment))
    require(len(shown["steps"]) > 20 and not any(step["late"] for step in shown["steps"]), "the hook took no steps in time")
    store = sum(file.stat().st_size for file in (folder / "state").rglob("*") if file.is_file())
    print(f"{len(shown['steps'])} steps of 10 changed files each, {number(store / 1e6)} MB", file=sys.stderr)
    return rows


def jobs(program, folder):
    edits = []
    for case in range(2_000):
        content = [f"    let value_{at} = measure(input[{at}], {(at + case) % 101});\n" for at in range(1_000)]
        at = case * 7 % 997
        old = "".join(line.lstrip() for line in content[at : at + 3])
        new = old.replace("measure", "compute", 2)
        edits.append(json.dumps({"id": case, "content": "".join(content), "old": old, "new": new}) + "\n")
    (folder / "edits.jsonl").write_text("".join(edits))
    words = [[str(program), "batch", "--ladder", "adaptive", "--jobs", jobs] for jobs in "12"]
    # The answers are discarded, because a process that read them would use one of two cores.
    alone, both = median_ms(folder, JOB_RUNS, map(" ".join, words), given="edits.jsonl")
    answers = []
    for command in words:
        with open(folder / "edits.jsonl") as edits:
            answers.append(read(*command, stdin=edits))
    require(answers[0] == answers[1], "two jobs answer in other bytes than one")
    require(answers[0].count("\n") == 2_000, "an edit has no answer")
    holds = "yes" if alone / both >= 1.7 else "NO"
    return [["2000 of 1000 lines each, the indentation differs", alone, both, alone / both, 1.7, holds]]


class Server:
    """An MCP server, and the messages that it wrote with their times."""

    def __init__(self, program, folder):
        environment = os.environ | {"XDG_STATE_HOME": str(folder / "state")}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen([program, "mcp", "--ladder", "adaptive"], cwd=folder, env=environment, **pipes)
        self.heard, self.last = queue.Queue(), 0
        threading.Thread(target=self.listen, daemon=True).start()
        client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.answer(self.ask("initialize", client))
        self.send({"method": "notifications/initialized"})

    def listen(self):
        for said in self.process.stdout:
            self.heard.put((time.perf_counter(), json.loads(said)))

    def hear(self):
        try:
            return self.heard.get(timeout=PATIENCE)
        except queue.Empty:
            sys.exit("error: the MCP server does not answer")

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        return self.last

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def answer(self, number):
        """Waits for the answer to a request, and returns the time of its arrival."""
        while True:
            now, said = self.hear()
            if said.get("id") == number:
                require("result" in said, f"a call failed: {said}")
                return now

    def begin(self, edits):
        """Sends a slow call, and waits until its first edit is planned."""
        token = self.last + 1
        self.ask("tools/call", {"name": "preview_edit", "arguments": edits, "_meta": {"progressToken": token}})
        while True:
            _, said = self.hear()
            require(said.get("id") != token, "the slow call was not slow enough")
            if said.get("params", {}).get("progressToken") == token:
                return token

    def cancel(self, number):
        self.send({"method": "notifications/cancelled", "params": {"requestId": number}})

    def stopped(self, edits, words):
        """Cancels slow calls, each later than the one before; returns the times until the next call is answered."""
        times = []
        for at in range(20):
            slow = self.begin(edits)
            time.sleep(0.007 * at)
            start = time.perf_counter()
            self.cancel(slow)
            times.append(self.answer(self.call("locate", file_path=edits["file_path"], old_string=words)) - start)
        return times

    def beside(self, edits):
        """Edits 100 files at once during a slow call; returns the times of the answers."""
        times = []
        for at in range(5):
            slow, sent = self.begin(edits), {}
            old, new = ("one", "two") if at % 2 == 0 else ("two", "one")
            for file in range(100):
                start = time.perf_counter()
                sent[self.call("edit", file_path=f"{file}.txt", old_string=old, new_string=new)] = start
            while sent:
                now, said = self.hear()
                require(said.get("id") != slow, "the slow call was not slow enough")
                if said.get("id") in sent:
                    require(said["result"]["isError"] is False, f"an edit was refused: {said}")
                    times.append(now - sent.pop(said["id"]))
            self.cancel(slow)
            self.answer(self.call("locate", file_path="slow.rs", old_string=line(0)))
        return times


def mcp(program, folder):
    (folder / "slow.rs").write_text(lines(0, 50_000))
    for file in range(100):
        (folder / f"{file}.txt").write_text("one\n" + "line\n" * 200)
    same = "    same line of text\n"
    (folder / "equal.txt").write_text(same * 200_000)
    olds = [lines(at * 2_500, at * 2_500 + 2_000).replace("measure", "mesure") for at in range(20)]
    slow = [{"old_string": old, "new_string": old.replace("input", "output")} for old in olds]
    slow = {"file_path": "slow.rs", "edits": slow}
    # All edits except the last occur everywhere.
    equal = [{"old_string": f"{same * 500}other {at}", "new_string": f"{same * 500}new {at}"} for at in range(50)]
    equal = {"file_path": "equal.txt", "edits": equal}
    server = Server(program, folder)
    measured = [
        ("from a cancellation to the answer of the next call on the file", server.stopped(slow, line(49_999)), 100, 50),
        ("the same, edits of 501 lines in 200000 equal lines", server.stopped(equal, same), 100, 50),
        ("an edit of one of 100 files, all simultaneous with a slow call", server.beside(slow), 99, 100),
    ]
    server.process.stdin.close()
    require(server.process.wait() == 0, "the MCP server ended with an error")
    rows = []
    for what, times, percent, at_most in measured:
        times.sort()
        values = {rank: 1000 * times[(len(times) - 1) * rank // 100] for rank in (50, 99, 100)}
        rows.append([what, *values.values(), at_most, "yes" if values[percent] <= at_most else "NO"])
    return rows


def measured(function, place=scratch):
    program = build("dist", "full")
    with place() as folder:
        return function(program, pathlib.Path(folder).resolve())


def tables():
    """Measures everything, and returns the tables."""
    header = ["process", "ms", "the other's ms", "ratio", "at most", "holds"]
    on_disk = tempfile.TemporaryDirectory
    rows = measured(apply) + measured(hooks) + measured(restore, on_disk) + measured(steps, on_disk)
    parts = [f"Medians of {RUNS} runs, files in memory where possible; of {FEW_RUNS} on disk for the restore."]
    parts.append(table(header, rows))
    parts.append(f"Medians of {JOB_RUNS} runs of `batch --jobs`; the answers are identical.")
    parts.append(table(["edits", "one job, ms", "two jobs, ms", "ratio", "at least", "holds"], measured(jobs)))
    parts.append("`fuzzy-edit mcp` through pipes; the slow call is 20 edits of 2000 lines each in 50000 lines.")
    header = ["measurement", "median, ms", "p99, ms", "longest, ms", "at most, ms", "holds"]
    parts.append(table(header, measured(mcp)))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["restore"]:
        [found] = measured(restore, tempfile.TemporaryDirectory)
        print(f"{found[0]}: {number(found[1])} and {number(found[2])} ms")
        require(
            found[-1] == "yes", f"the restore takes {number(found[3])} times as long, at most {found[4]} are allowed"
        )
    else:
        print(tables(), end="")
