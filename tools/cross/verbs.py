"""Uses the command on another system: edits and undoes, `mcp`, `hook`, `init`, `serve`, names of files, checkpoints.

Usage: python3 verbs.py [--drive Z:] [--no-git] COMMAND [ARGUMENT ...]

COMMAND runs fuzzy-edit, for example `wine fuzzy-edit.exe`. With `--drive`, the paths of this system are on that drive.
"""

import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile

arguments = sys.argv[1:]
DRIVE = arguments.pop(0) and arguments.pop(0) if arguments[0] == "--drive" else ""
HAS_GIT = arguments[0] != "--no-git"
COMMAND = arguments if HAS_GIT else arguments[1:]
WINDOWS = bool(DRIVE) or os.name == "nt"


def start(tree, *words):
    """Starts the command in a folder, with a state directory and a home directory of its own."""
    home = DRIVE + str(tree.parent)
    environment = {**os.environ, "LOCALAPPDATA": home + "/state", "XDG_STATE_HOME": home + "/state"}
    if WINDOWS:
        del environment["XDG_STATE_HOME"]
    environment.update(USERPROFILE=home, HOME=home if not DRIVE else os.environ["HOME"])
    pipe = subprocess.PIPE
    return subprocess.Popen([*COMMAND, *words], cwd=tree, env=environment, stdin=pipe, stdout=pipe, stderr=pipe)


def run(tree, *words, given=""):
    """Runs the command; returns whether it succeeded, and what it printed."""
    process = start(tree, *words)
    out, err = process.communicate(given.encode())
    return process.returncode == 0, out.decode(), err.decode()


def edits(tree):
    file = tree / "Shop/cart.py"
    file.parent.mkdir()
    before = b"def total(cart):\r\n\treturn sum(cart)\r\n"
    file.write_bytes(before)
    answer = run(tree, "apply", "Shop/cart.py", "--old", "    return sum(cart)", "--new", "    return 0")
    assert file.read_bytes() == b"def total(cart):\r\n\treturn 0\r\n", answer
    answer = run(tree, "undo")
    assert file.read_bytes() == before, answer
    done, _, err = run(tree, "apply", "--root", "Shop", "../out", "--old", "a", "--new", "b")
    assert not done and "outside_root" in err, err


def mcp(tree):
    # The bytes are not UTF-8; the edit changes only its own bytes.
    (tree / "menu.txt").write_bytes(b"Th\xe9, caf\xe9\r\nS\xfc\xdfigkeiten\r\nprice = 1\r\n")
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    edit = {"file_path": "menu.txt", "old_string": "price = 1", "new_string": "price = 2"}
    messages = [
        {"id": 1, "method": "initialize", "params": client},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "edit", "arguments": edit}},
    ]
    answer = run(tree, "mcp", given="".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages))
    assert len(answer[1].splitlines()) == 2, answer
    assert (tree / "menu.txt").read_bytes() == b"Th\xe9, caf\xe9\r\nS\xfc\xdfigkeiten\r\nprice = 2\r\n", answer


def hook(tree):
    (tree / "a.py").write_bytes(b"def a():\r\n\tb = 1\r\n")
    edit = {"file_path": "a.py", "old_string": "    b = 1", "new_string": "    b = 2"}
    event = {"cwd": DRIVE + str(tree), "tool_name": "replace", "tool_input": edit}
    answer = run(tree, "hook", "gemini", "repair", given=json.dumps(event))
    assert json.loads(answer[1])["hookSpecificOutput"]["tool_input"]["old_string"] == "\tb = 1", answer


def init(tree):
    settings = tree / ".gemini/settings.json"
    settings.parent.mkdir()
    before = b'{\r\n  // ours\r\n  "theme": "dark"\r\n}\r\n'
    settings.write_bytes(before)
    answer = run(tree, "init", "gemini", "--project", "--yes")
    assert answer[0] and b"fuzzy-edit" in settings.read_bytes() and b"// ours" in settings.read_bytes(), answer
    answer = run(tree, "init", "gemini", "--project", "--yes", "--remove")
    assert answer[0] and settings.read_bytes() == before, answer


def serve(tree):
    process = start(tree, "serve", "--addr", "127.0.0.1:0")
    try:
        line = process.stdout.readline().decode()
        address = line.strip().removeprefix("listening at http://").rstrip("/")
        host, port = address.split(":")
        with socket.create_connection((host, int(port))) as connection:
            request = f"GET /api/sessions HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
            connection.sendall(request.encode())
            assert connection.recv(12) == b"HTTP/1.1 200", line
    finally:
        process.kill()
        print(process.communicate()[1].decode())


def names(tree):
    """Names files by paths of many kinds."""
    file = tree / "Names/File.txt"
    file.parent.mkdir()
    whole = DRIVE + str(file)
    back = whole.replace("/", "\\")
    for path in ["Names/File.txt", "names\\FILE.TXT", whole, back, "\\\\?\\" + back]:
        file.write_bytes(b"one\r\n")
        answer = run(tree, "apply", path, "--old", "one", "--new", "two")
        assert answer[0] and file.read_bytes() == b"two\r\n", (path, answer)
    share = "\\\\?\\UNC\\localhost\\" + back.replace(":", "$", 1)
    done, _, err = run(tree, "apply", share, "--old", "absent", "--new", "three")
    assert not done and "panicked" not in err, err
    for path in ["Names/aux", "NUL.txt", "Names/a.", "Names/b ", "Names/a?b", "Names/File.txt:stream"]:
        done, out, err = run(tree, "apply", path, "--old", "", "--new", "text", "--json")
        assert not done and "Choose another name" in out + err, (path, out, err)
    assert len(list(file.parent.iterdir())) == 1, "a wrong name made a file"


def checkpoints(tree):
    """Restores a worktree, and undoes the restore."""
    first = {"a.txt": b"one\r\n", "src/Deep/b.txt": b"two\n", "src/gone.txt": b"three\n"}
    (tree / "src/Deep").mkdir(parents=True)
    for name, text in first.items():
        (tree / name).write_bytes(text)
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@localhost"]
    for words in (["init", "-q"], ["add", "a.txt"], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *words], cwd=tree, check=True)

    def checkpoint(*words):
        done, out, err = run(tree, "checkpoint", *words, "--json")
        assert done, (words, out, err)
        return json.loads(out)

    taken = checkpoint("create", "--label", "before")
    taken = taken.get("id") or taken["checkpoint"]["id"]
    (tree / "a.txt").write_bytes(b"ONE\r\n")
    (tree / "src/gone.txt").unlink()
    (tree / "new.txt").write_bytes(b"new\n")
    differing = json.dumps(checkpoint("diff", taken))
    assert all(name in differing for name in ["a.txt", "src/gone.txt", "new.txt"]), differing
    assert taken in json.dumps(checkpoint("list"))
    checkpoint("restore", taken, "--yes")
    assert all((tree / name).read_bytes() == text for name, text in first.items())
    assert not (tree / "new.txt").exists()
    checkpoint("undo", "last")
    assert (tree / "a.txt").read_bytes() == b"ONE\r\n"
    assert (tree / "new.txt").exists() and not (tree / "src/gone.txt").exists()


for use in [edits] + [mcp, hook, init, serve, names] * WINDOWS + [checkpoints] * HAS_GIT:
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder, "tree")
        place.mkdir()
        use(place)
    print(use.__name__, "passed")
