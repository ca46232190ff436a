"""Compares tools that take back what an agent did: `compare.py --turns`.

An agent's turn is a list of shell commands. Tools with hooks of Claude Code get the events that it sends; the others save
a state before each turn, as their pages advise.
"""

import contextlib
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

from common import CARGO, TARGET, environment, number, read, run

#: The crate and its version; the Python packages are in the folder `requirements`.
DOOVER = "doover@0.2.3"
FILES, TURNS = 20_000, 30
LINES = [f"line {number}\n" for number in range(1, 31)]


class Scene:
    """A repository with files of every kind, a home, and a file outside the repository."""

    def __init__(self, folder):
        self.root, self.home, self.outside = folder / "project", folder / "home", folder / "outside.txt"
        self.env = {**os.environ, "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1"}
        for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "FUZZY_EDIT_STORE"):
            self.env.pop(name, None)
        self.home.mkdir()
        (self.root / "out").mkdir(parents=True)
        self.outside.write_text("outside\n")
        files = {"a.txt": "".join(LINES), "b.txt": "b\n", "notes.txt": "notes\n", ".env": "KEY=1\n", "out/made.txt": "made\n"}
        for name, text in {**files, ".gitignore": ".env\nout/\n"}.items():
            (self.root / name).write_text(text)
        for command in (
            "git init -q -b main",
            "git config user.name Someone",
            "git config user.email someone@example.org",
            "git add a.txt b.txt .gitignore",
            "git commit -qm first",
        ):
            self.shell(command)

    def shell(self, command):
        """Runs a command of the user or of the agent."""
        subprocess.run(["sh", "-c", command], cwd=self.root, env=self.env, check=True, stdin=subprocess.DEVNULL)

    def call(self, *command):
        """Runs a tool, and returns its exit code and its output."""
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.root,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return done.returncode, done.stdout

    def state(self):
        """Returns every file with its content, and the staged changes."""
        files = {}
        for path in [self.outside, *self.root.rglob("*")]:
            # Tools may keep their own folders and settings in the project.
            named = path.relative_to(self.root.parent).as_posix()
            if path.is_file() and not re.match(r"project/\.(git|claude|rewind|unedit|doover)(/|$)", named):
                files[named] = path.read_bytes()
        return files, self.call("git", "diff", "--cached", "--binary")[1]


class Hooks:
    """A tool that Claude Code calls: its hooks get the events of a session."""

    def __init__(self, scene):
        self.scene, self.turns = scene, 0
        claude = scene.home / ".claude"
        settings = next(path for path in (claude / "settings.json", *claude.rglob("hooks.json")) if path.is_file())
        self.hooks = json.loads(settings.read_text())["hooks"]

    def event(self, name, **fields):
        event = {"session_id": "s1", "cwd": str(self.scene.root), "hook_event_name": name, **fields}
        event["transcript_path"] = str(self.scene.home / "transcript.jsonl")
        for group in self.hooks.get(name, []):
            tool, matcher = fields.get("tool_name", ""), group.get("matcher") or ".*"
            if matcher != "*" and not re.fullmatch(matcher, tool):
                continue
            for hook in group["hooks"]:
                command = [hook["command"], *hook["args"]] if "args" in hook else ["sh", "-c", hook["command"]]
                subprocess.run(
                    command,
                    cwd=self.scene.root,
                    env={**self.scene.env, "CLAUDE_PROJECT_DIR": str(self.scene.root)},
                    input=json.dumps(event),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    text=True,
                )

    def turn(self, commands):
        self.turns += 1
        self.event("UserPromptSubmit", prompt=f"Do step {self.turns}.")
        for call, command in enumerate(commands):
            about = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": f"{self.turns}-{call}"}
            self.event("PreToolUse", **about)
            self.scene.shell(command)
            self.event("PostToolUse", **about, tool_response={"stdout": "", "stderr": "", "interrupted": False})
        self.event("Stop", stop_hook_active=False)


class FuzzyEdit(Hooks):
    title = "**fuzzy-edit**"

    def __init__(self, scene, command):
        self.command, self.version = command, read(command, "--version").split()[1]
        scene.call(command, "init", "claude-code", "--turns", "--yes", "--command", command)
        super().__init__(scene)

    def back(self, turn):
        return self.scene.call(self.command, "turns", "revert", turn, "--yes")


class Doover(Hooks):
    title = "doover"

    def __init__(self, scene, folder):
        self.command = folder / "bin/doover"
        self.version = DOOVER.split("@")[1]
        # Its hooks name no folder.
        scene.env["PATH"] = f"{folder / 'bin'}{os.pathsep}{scene.env['PATH']}"
        scene.call(self.command, "init")
        super().__init__(scene)
        self.actions = {}

    def turn(self, commands):
        before = self.listed()
        super().turn(commands)
        self.actions[self.turns] = [action for action in self.listed() if action not in before]

    def listed(self):
        return re.findall(r"#(\d+)", self.scene.call(self.command, "log")[1])

    def back(self, turn):
        answers = [self.scene.call(self.command, "undo", action) for action in self.actions[turn]]
        return max((code for code, _ in answers), default=1), "".join(text for _, text in answers)


class Saved:
    """A tool that saves the state before each turn."""

    def __init__(self, scene):
        self.scene, self.states, self.turns = scene, {}, 0

    def turn(self, commands):
        self.turns += 1
        self.states[self.turns] = self.save()
        for command in commands:
            self.scene.shell(command)


class Unedit(Saved):
    title = "unedit"

    def __init__(self, scene, folder):
        super().__init__(scene)
        self.command, self.version = folder / "unedit", of_requirements("unedit")

    def save(self):
        _, printed = self.scene.call(self.command, "save", "--force", "--json")
        return json.loads(printed[printed.index("{") :])["id"]

    def back(self, turn):
        return self.scene.call(self.command, "back", self.states[turn], "--yes", "--force")


class Rewind(Saved):
    title = "rewind-ai"

    def __init__(self, scene, folder):
        super().__init__(scene)
        self.command, self.version = folder / "rewind", of_requirements("rewind-ai")
        scene.call(self.command, "init")

    def save(self):
        self.scene.call(self.command, "snap")
        return max(map(int, re.findall(r"(?m)^\W*(\d+)\b", self.scene.call(self.command, "list")[1])), default=0)

    def back(self, turn):
        return self.scene.call(self.command, "jump", self.states[turn], "--yes")


class Stash(Saved):
    title = "`git stash -u`"

    def __init__(self, scene, _):
        super().__init__(scene)
        self.version = read("git", "--version").split()[2]

    def save(self):
        self.scene.call("git", "stash", "push", "--quiet", "--include-untracked")
        self.scene.call("git", "stash", "apply", "--quiet", "--index")
        return self.scene.call("git", "rev-parse", "--quiet", "--verify", "stash@{0}")[1].strip()

    def back(self, turn):
        self.scene.call("git", "reset", "--quiet", "--hard")
        self.scene.call("git", "clean", "--quiet", "-fd")
        # A worktree without changes makes no stash.
        state = self.states[turn]
        return self.scene.call("git", "stash", "apply", "--quiet", "--index", state) if state else (0, "")


def of_requirements(name):
    listed = pathlib.Path(__file__).parent / "requirements" / f"{name}.txt"
    return re.search(rf"(?m)^{name}==(.*)$", listed.read_text())[1]


def after_one(*commands, before="true"):
    """Judges one turn: everything has to be as before it."""

    def judge(scene, tool):
        scene.shell(before)
        wanted = scene.state()
        tool.turn(commands)
        return wanted, 1

    return judge


def user_in_the_same_file(scene, tool):
    wanted = scene.state()
    tool.turn(["sed -i s/^line.5$/agent/ a.txt"])
    scene.shell("sed -i s/^line.25$/user/ a.txt")
    wanted[0]["project/a.txt"] = "".join(LINES).replace("line 25", "user").encode()
    return wanted, 1


def the_middle_one(scene, tool):
    tool.turn(["sed -i s/^line.3$/one/ a.txt"])
    wanted = scene.state()
    tool.turn(["sed -i s/^line.15$/two/ a.txt"])
    tool.turn(["sed -i s/^line.27$/three/ a.txt"])
    wanted[0]["project/a.txt"] = wanted[0]["project/a.txt"].replace(b"line 27\n", b"three\n")
    return wanted, 2


#: Each row has a function that plays a turn, and returns the wanted state and the number of that turn.
ROWS = {
    "a change of a tracked file": after_one("sed -i s/^line.5$/agent/ a.txt"),
    "the deletion of an untracked file": after_one("rm notes.txt"),
    "a new file": after_one("echo new > new.txt"),
    "the deletion of an ignored file": after_one("rm .env"),
    "`rm -rf` of an ignored folder": after_one("rm -rf out"),
    "the deletion of an untracked file of 100 MiB": after_one(
        "rm big.bin", before="head -c 104857600 /dev/zero > big.bin"
    ),
    "the deletion of a file outside the project": after_one("rm ../outside.txt"),
    "`git reset --hard` with staged changes": after_one(
        "git reset -q --hard", before="sed -i s/^line.9$/staged/ a.txt && git add a.txt"
    ),
    "`git clean -fdx`": after_one("git clean -fdxq"),
    "a line of a file in which the user changed another line since": user_in_the_same_file,
    "one turn between two others": the_middle_one,
}


def judged(tool, scene, judge):
    """Returns a cell of the table."""
    wanted, turn = judge(scene, tool)
    code, printed = tool.back(turn)
    files, staged = scene.state()
    left = [name for name in wanted[0].keys() | files.keys() if wanted[0].get(name) != files.get(name)]
    if not left and staged == wanted[1]:
        return "yes"
    if code != 0:
        return "refused"
    # A tool may say which files it could not bring back.
    is_named = left and all(name not in files and pathlib.Path(name).name in printed for name in left)
    return "named" if is_named else "**no**"


def tools(command):
    """Returns each tool as a function of a scene."""
    folder = TARGET / "peers/doover"
    if not (folder / "bin/doover").is_file():
        run(CARGO, "install", "--quiet", "--locked", "--root", folder, DOOVER)
    requirements = "tools/peers/requirements"
    return [
        lambda scene: FuzzyEdit(scene, command),
        lambda scene: Doover(scene, folder),
        lambda scene: Rewind(scene, environment(f"{requirements}/rewind-ai.txt")),
        lambda scene: Unedit(scene, environment(f"{requirements}/unedit.txt")),
        lambda scene: Stash(scene, None),
    ]


@contextlib.contextmanager
def scene():
    with tempfile.TemporaryDirectory() as folder:
        yield Scene(pathlib.Path(folder).resolve())


def size(folder):
    """Returns the bytes of the files of a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


def cost(make):
    """Returns the milliseconds that a tool adds to a turn, and the megabytes that the turns leave, in a large project."""
    with scene() as place:
        for index in range(FILES):
            path = place.root / f"src/{index // 100}/{index}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"file {index}\n" * 20)
        place.shell("git add src && git commit -qm files")
        tool = make(place)
        before, took = size(place.root.parent), []
        for turn in range(TURNS):
            command = f"echo {turn} >> src/{turn % 200}/{turn % 200 * 100}.txt"
            begun = time.monotonic()
            tool.turn([command])
            took.append(time.monotonic() - begun)
        return sorted(took)[TURNS // 2] * 1000, (size(place.root.parent) - before) / 1e6


def compared(command):
    """Returns the table of what each tool brings back, and of what it costs."""
    columns = [["taken back", "version", *ROWS, f"ms a turn, {FILES:,} files", f"MB after {TURNS} turns"]]
    for make in tools(command):
        cells = []
        for judge in ROWS.values():
            with scene() as place:
                tool = make(place)
                cells.append(judged(tool, place, judge))
        columns.append([tool.title, tool.version, *cells, *map(number, cost(make))])
        print(*columns[-1], flush=True)
    header, *rows = zip(*columns)
    return "".join(f"|{'|'.join(row)}|\n" for row in (header, ["---"] * len(header), *rows))
