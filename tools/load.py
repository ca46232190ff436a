"""Uses the checkpoint service from many sessions at once, and checks every answer: no message is lost or cut twice."""

import argparse
import collections
import contextlib
import http.client
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from common import build, read, require, table

ROUNDS, AT_MOST = 21, 300
#: A session retries these refusals, because its worktree is in use; the last only where another session shares it.
BUSY = {"restore_in_progress", "changed_during", "busy"}
SHARED = BUSY | {"agent_running"}


class Failed(Exception):
    """An answer is wrong."""


def check(condition, message):
    if not condition:
        raise Failed(message)


class Client:
    """A connection to the service, and the times of the requests, by name, in milliseconds."""

    def __init__(self, address, times):
        self.times, self.retries = times, 0
        self.connection = http.client.HTTPConnection(address, timeout=120)

    def send(self, method, path, body=None, key=None):
        """Sends a request; returns the status, the text of the answer, and the time in milliseconds."""
        headers = {"Content-Type": "application/json"} | ({"Idempotency-Key": key} if key else {})
        start = time.perf_counter()
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        with self.connection.getresponse() as response:
            text = response.read().decode()
        return response.status, text, 1000 * (time.perf_counter() - start)

    def json(self, name, method, path, body=None, key=None, codes=()):
        """Returns the answer, after retries while a refusal has one of these codes."""
        while True:
            status, text, took = self.send(method, path, body, key)
            answer = json.loads(text)
            if answer.get("code") in codes:
                self.retries += 1
                time.sleep(0.05)
                continue
            check(status < 300, f"{name}: {status} {text}")
            self.times[name].append(took)
            return answer


class Agent:
    """One session, which runs turns, restores and undos, and knows the expected transcript."""

    def __init__(self, at, address, worktree, alone):
        self.at, self.address, self.alone = at, address, alone
        self.times, self.counts = collections.defaultdict(list), collections.Counter()
        self.client = Client(address, self.times)
        made = self.client.json(
            "make a session", "POST", "/api/sessions", {"worktree": str(worktree), "title": f"load {at}"}
        )
        self.path = f"/api/sessions/{made['id']}"
        self.worktree = self.client.json("get a session", "GET", self.path)["worktree_id"]
        self.file = worktree / f"written-by-{at}.txt"
        self.transcript, self.turns, self.steps = [], [], 0

    def post(self, name, path, body, key=None):
        return self.client.json(name, "POST", path, body, key, BUSY if self.alone else SHARED)

    def written(self):
        return self.file.read_text() if self.file.is_file() else None

    def step(self):
        """Runs a turn, or a restore and perhaps an undo; then compares everything."""
        self.steps += 1
        self.restore() if self.steps % 4 == 0 and self.turns else self.turn()
        self.compare()

    def turn(self):
        prompt = f"session {self.at}, step {self.steps}"
        begun = self.post("begin a turn", f"{self.path}/turns", {"message": prompt})
        self.transcript.append(prompt)
        if "checkpoint_id" in begun and begun["checkpoint_id"]:
            self.turns.append((begun["checkpoint_id"], len(self.transcript), self.written()))
        else:
            # A restore of the other session interfered, and the turn continues without a checkpoint.
            check(not self.alone and begun.get("uncheckpointed"), f"no checkpoint in {begun}")
            self.counts["turns without a checkpoint"] += 1
        for part in range(self.steps % 3 + 1):
            said = f"answer {part} of step {self.steps}"
            self.post(
                "append a message", f"{self.path}/messages", {"turn": begun["id"], "role": "assistant", "body": said}
            )
            self.transcript.append(said)
            self.counts["messages"] += 1
        self.file.write_text(f"step {self.steps}\n")
        self.post("end a turn", f"{self.path}/turns/{begun['id']}/end", {"status": "complete"})
        self.counts["turns"] += 1

    def restore(self):
        """Restores one of the last turns; in some rounds sends the request twice at once."""
        at = max(len(self.turns) - 1 - self.steps // 4 % 3, 0)
        checkpoint, length, file = self.turns[at]
        path, key = f"{self.path}/checkpoints/{checkpoint}/restore", f"restore-{self.steps}"
        twins = []
        twin = threading.Thread(target=lambda: twins.append(Client(self.address, {}).send("POST", path, {}, key)))
        if self.steps % 8 == 0:
            twin.start()
        restored = self.post("restore", path, {}, key)
        if self.steps % 8 == 0:
            twin.join()
            check(twins, "a request sent twice at once has no answer")
            status, text, _ = twins[0]
            # It may have arrived during the first one, or have been disturbed by another session.
            later = json.loads(text).get("code") in SHARED
            check(later or (status == 200 and json.loads(text) == restored), f"sent twice: {text} and {restored}")
            self.counts["restores sent twice at once"] += 1
        cut = len(self.transcript) - length
        check(restored["messages_deleted"] == cut, f"{cut} messages to cut, but {restored}")
        self.counts["restores"] += 1
        check(not self.alone or self.written() == file, f"the file is {self.written()!r}, not {file!r}")
        messages, turns = self.transcript[length:], self.turns[at + 1 :]
        del self.transcript[length:], self.turns[at + 1 :]
        if self.steps % 12 == 0:
            self.compare()
            body = {"verb": "undo", "restore": restored["restore_id"]}
            undone = self.post("undo", f"/api/worktrees/{self.worktree}/turns/take-back", body)["restore"]
            check(undone["messages_deleted"] == cut, f"{cut} messages to bring back, but {undone}")
            self.transcript += messages
            self.turns += turns
            self.counts["undos"] += 1

    def compare(self):
        """Reads the whole session, and compares it."""
        messages = self.client.json("list messages", "GET", f"{self.path}/messages")["messages"]
        bodies = [message["body"] for message in messages]
        check(bodies == self.transcript, f"the transcript is {bodies}, not {self.transcript}")
        listed = self.client.json("list checkpoints", "GET", f"{self.path}/checkpoints")["checkpoints"]
        missing = {checkpoint for checkpoint, _, _ in self.turns} - {row["id"] for row in listed}
        check(not missing, f"checkpoints are not listed: {missing}")
        self.client.json("show a session", "GET", self.path)
        self.client.json("list sessions", "GET", "/api/sessions")

    def live(self, start, seconds, failures):
        """Runs steps from the common start until the end."""
        try:
            start.wait()
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                self.step()
            self.compare()
            self.counts["requests to retry"] += self.client.retries
        except Exception as error:  # Each failure is printed, whatever it is.
            failures[f"{type(error).__name__}: {error}"] += 1


@contextlib.contextmanager
def service(worktrees, database):
    """Starts a service with its own worktrees, and returns its address and the worktrees."""
    program = build("dist", "full")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        places = [folder / f"worktree-{at}" for at in range(worktrees)]
        for place in places:
            place.mkdir()
            for file in range(200):
                (place / f"file-{file}.txt").write_text(f"file {file}\n" * 50)
            for words in (
                "init --quiet",
                "add --all",
                "-c user.name=l -c user.email=l@localhost commit --quiet -m begin",
            ):
                read("git", *words.split(), cwd=place)
        command = [program, "serve", "--addr", "127.0.0.1:0"]
        command += ["--database", database] if database != "sqlite" else []
        environment = os.environ | {"XDG_STATE_HOME": str(folder / "state")}
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            said = server.stdout.readline()
            address = next((word for word in said.split() if word.startswith("http://")), None)
            require(address, f"the service did not print its address: {said!r}")
            yield urllib.parse.urlsplit(address).netloc, places
            server.terminate()
            require(server.wait() == 0, f"the service ended with {server.returncode}")
        finally:
            server.kill()


def row(name, times, *cells):
    times = sorted(times)
    return [name, str(len(times)), *(times[(len(times) - 1) * rank // 100] for rank in (50, 99, 100)), *cells]


HEADER = ["request", "requests", "median, ms", "p99, ms", "longest, ms"]


def load(chosen, database):
    count = min(chosen.worktrees, chosen.sessions)
    failures, start = collections.Counter(), threading.Barrier(chosen.sessions)
    with service(count, database) as (address, places):
        number = range(chosen.sessions)
        agents = [Agent(at, address, places[at % count], len(number[at % count :: count]) == 1) for at in number]
        threads = [threading.Thread(target=it.live, args=(start, chosen.seconds, failures)) for it in agents]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    times = collections.defaultdict(list)
    for agent in agents:
        for name, values in agent.times.items():
            times[name] += values
    kind = database.split(":")[0]
    print(f"\n{chosen.sessions} sessions in {count} worktrees for {chosen.seconds} s on {kind}:\n")
    print(table(HEADER, [row(*it) for it in sorted(times.items())]))
    counts = sum((agent.counts for agent in agents), collections.Counter())
    print(", ".join(f"{value} {name}" for name, value in counts.items()))
    print("Every transcript was compared after every step.")
    for failure, sessions in failures.items():
        print(f"FAILED in {sessions} sessions: {failure}")
    require(not failures, f"{failures.total()} sessions failed on {kind}")


def pages(messages, database):
    """Fills one session with messages, in turns of 200, and measures its pages."""
    with service(1, database) as (address, [worktree]):
        client = Client(address, collections.defaultdict(list))
        session = client.json("", "POST", "/api/sessions", {"worktree": str(worktree), "title": "long"})["id"]
        path = f"/api/sessions/{session}"
        code = "```rust\nfn step() -> u32 {\n    // The next one.\n    1\n}\n```"
        for first in range(0, messages, 200):
            turn = client.json("", "POST", f"{path}/turns", {"message": f"Prompt {first}: make the next thing."})["id"]
            (worktree / "file-0.txt").write_text(f"after message {first}\n")
            for at in range(first + 1, min(first + 200, messages)):
                said = (
                    f"Message {at}:\n\n{code}\n"
                    if at % 10 == 0
                    else f"Message {at}: `file-{at % 200}.txt` is **unchanged**."
                )
                client.json("", "POST", f"{path}/messages", {"turn": turn, "role": "assistant", "body": said})
            client.json("", "POST", f"{path}/turns/{turn}/end", {"status": "complete"})
        middle = -(-messages // 100) // 2
        page = f"/sessions/{session}"
        views = {"its end": page, "its start": f"{page}?page=1", "its middle": f"{page}?page={middle}"}
        views |= {"a search": f"{page}/search?text=message", "all sessions": "/"}
        rows = []
        for name, view in views.items():
            answers = [client.send("GET", view) for _ in range(ROUNDS)]
            require(all(status == 200 for status, _, _ in answers), f"{name}: {answers[0][:2]}")
            found = row(name, [took for _, _, took in answers])
            rows.append([*found, AT_MOST, "yes" if found[2] <= AT_MOST else "NO"])
    print(f"\nA session of {messages} messages:\n\n{table([*HEADER, 'at most', 'holds'], rows)}", end="")
    require(all(row[-1] == "yes" for row in rows), "a page exceeds its time limit")


def timeline(turns):
    """Fills a worktree with copies of a turn, and compares its timeline with the page of the session, on SQLite."""
    with service(1, "sqlite") as (address, [worktree]):
        client = Client(address, collections.defaultdict(list))
        session = client.json("", "POST", "/api/sessions", {"worktree": str(worktree), "title": "long"})["id"]
        path = f"/api/sessions/{session}"
        for at in range(3):
            turn = client.json("", "POST", f"{path}/turns", {"message": f"Prompt {at}: make the next thing."})["id"]
            (worktree / f"file-{at}.txt").write_text(f"after turn {at}\n")
            client.json("", "POST", f"{path}/turns/{turn}/end", {"status": "complete"})
        page = f"/worktrees/{client.json('', 'GET', path)['worktree_id']}"
        # The turns that are taken back depend on all of them.
        client.json("", "POST", f"/api{page}/turns/take-back", {"verb": "revert", "turns": [1]})
        copy_turn(next((worktree.parent / "state").rglob("*.db")), turn, turns)
        views = {
            "the session": f"/sessions/{session}",
            "its timeline": page,
            "an older part": f"{page}?before={turns // 2}",
            "by file": f"{page}?file=file-2.txt",
            "by a file of one turn": f"{page}?file=file-1.txt",
            "by text": f"{page}?text=next+thing",
            "by text without result": f"{page}?text=nowhere",
            "by session": f"{page}?session={session}",
        }
        rows, most = [], None
        for name, view in views.items():
            answers = [client.send("GET", view) for _ in range(ROUNDS)]
            require(all(status == 200 for status, _, _ in answers), f"{name}: {answers[0][:2]}")
            found = row(name, [took for _, _, took in answers])
            most = most or 2 * found[2]
            rows.append([*found, most, "yes" if found[2] <= most else "NO"])
    print(f"\nA worktree of {turns} turns:\n\n{table([*HEADER, 'at most', 'holds'], rows)}", end="")
    require(all(row[-1] == "yes" for row in rows), "a page takes more than twice the time of the session's")


def copy_turn(database, turn, turns):
    """Copies a turn and its checkpoints until there are enough turns."""
    with contextlib.closing(sqlite3.connect(database, timeout=60)) as opened, opened as rows:
        rows.row_factory = sqlite3.Row
        prompt = dict(rows.execute("SELECT * FROM messages WHERE id = ?", [turn]).fetchone())
        changes = json.loads(prompt["changes"])
        find = "SELECT * FROM checkpoints WHERE id = ?"
        ends = [dict(rows.execute(find, [changes[end]]).fetchone()) for end in ("from", "to")]
        place, number, seq = ends[1]["place"], prompt["number"], prompt["seq"]

        def insert(table, values):
            names = ", ".join(values)
            marks = ", ".join("?" * len(values))
            rows.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(values.values()))

        for at in range(1, turns - number + 1):
            ids = [f"{at:020}{word}" for word in ("FROM", "TO")]
            copied = json.dumps(changes | {"from": ids[0], "to": ids[1]})
            new = {"id": f"{at:020}TURN", "seq": seq + at, "number": number + at, "place": place + 3 * at - 2}
            insert("messages", prompt | new | {"changes": copied})
            for which in (0, 1):
                new = {"id": ids[which], "anchor_seq": seq + at, "place": place + 3 * at - 1 + which}
                insert("checkpoints", ends[which] | new)
        rows.execute("UPDATE sessions SET next_seq = ?", [seq + turns])
        rows.execute("UPDATE worktrees SET turns = ?, places = ?", [turns, place + 3 * turns])


def main():
    parser = argparse.ArgumentParser("cargo xtask load", description=__doc__)
    parser.add_argument("--sessions", type=int, default=50, help="the number of sessions")
    parser.add_argument("--worktrees", type=int, default=40, help="if there are fewer than sessions, some are shared")
    parser.add_argument("--seconds", type=int, default=60, help="the duration")
    parser.add_argument(
        "--database", action="append", help="`sqlite` (default), or the URL of an empty Postgres database"
    )
    parser.add_argument("--page", type=int, metavar="MESSAGES", help="instead, measure the pages of one long session")
    parser.add_argument("--timeline", type=int, metavar="TURNS", help="instead, measure the timeline of one worktree")
    chosen = parser.parse_args()
    if chosen.timeline:
        timeline(chosen.timeline)
        return
    for database in chosen.database or ["sqlite"]:
        pages(chosen.page, database) if chosen.page else load(chosen, database)


if __name__ == "__main__":
    sys.exit(main())
