"""Makes the sets of the comparison from pinned packages of PyPI and npm. The same packages make the same sets.

A case is a line of JSON {id, path, content, old, new, expected, line, base?}. The edit quotes `old` from `base`, the file as
its writer read it, and `content` is the file that it meets. `expected` is the whole file afterwards; null if the edit has to
be refused. A case of `slips` may list other good results in `accept`.
"""

import ast
import difflib
import json
import pathlib
import random
import re
import shutil
import subprocess
import zipfile

from common import environment, read, require, run

#: Wheels and npm packages whose style is not that of ruff or prettier.
PYTHON = ["boltons==25.0.0", "bottle==0.13.4", "docutils==0.22.4", "pexpect==4.9.0", "pycparser==2.22", "pygments==2.19.2"]
NPM = ["underscore@1.13.7", "express@5.1.0", "koa@3.0.1", "handlebars@4.7.8", "moment@2.30.1", "backbone@1.6.0"]
NPM += ["uglify-js@3.19.3", "request@2.88.2"]
#: Versions of the same project that follow each other.
VERSIONS = [("boltons==24.1.0", "boltons==25.0.0"), ("docutils==0.21.2", "docutils==0.22.4")]
VERSIONS += [("networkx==3.3", "networkx==3.4.2"), ("paramiko==3.4.1", "paramiko==3.5.1"), ("mako==1.3.8", "mako==1.3.10")]
VERSIONS += [("pygments==2.18.0", "pygments==2.19.2"), ("babel==2.16.0", "babel==2.17.0")]
VERSIONS += [("express@5.0.1", "express@5.1.0"), ("koa@2.16.1", "koa@3.0.1"), ("commander@13.1.0", "commander@14.0.0")]
VERSIONS += [("qs@6.13.1", "qs@6.14.0"), ("ws@8.17.1", "ws@8.18.3"), ("mocha@11.0.1", "mocha@11.7.1")]
FORMATTERS = "tools/peers/requirements/ruff.txt", "prettier@3.6.2"
#: Cases of each language or kind, and of each package at most.
FORMATTED, FORMATTED_OF_PACKAGE = 100, 30
SLIPS = 300
COMMITS, COMMITS_OF_PACKAGE = 200, 30
SEED = 1
#: Files of this number of characters, and functions of this number of lines.
SIZES, LENGTHS = range(1_000, 10_000), range(4, 26)


def files(package, folder):
    """Downloads a package once, and returns its texts by path: those of a wheel, or of an npm package."""
    place = folder / "packages" / re.sub(r"[=@]+", "-", package)
    if not place.is_dir():
        fresh = place.with_name(f"{place.name}.new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        if "==" in package:
            # A wheel is only unpacked; a source distribution would run a program.
            options = ["--quiet", "--no-deps", "--only-binary=:all:", "--dest", fresh]
            run("python3", "-m", "pip", "download", *options, package)
            with zipfile.ZipFile(next(fresh.glob("*.whl"))) as wheel:
                wheel.extractall(fresh)
        else:
            run("npm", "pack", "--silent", "--pack-destination", fresh, package)
            run("tar", "-xzf", next(fresh.glob("*.tgz")), "-C", fresh)
        fresh.rename(place)
    paths = sorted(path for path in place.rglob("*") if path.suffix in (".py", ".js", ".ts") and path.is_file())
    texts = {str(path.relative_to(place)): path.read_bytes() for path in paths if ".min." not in path.name}
    return {path: text for path, raw in texts.items() if (text := decoded(raw)) is not None}


def decoded(raw):
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return None
    return text if len(text) in SIZES and "\r" not in text else None


class Ruff:
    """Formats Python, with ruff's own settings."""

    extension = ".py"

    def __init__(self):
        self.program = environment(FORMATTERS[0]) / "ruff"

    def __call__(self, texts, folder):
        """Returns each text formatted, or None if it is not valid."""
        folder.mkdir(parents=True)
        paths = [folder / f"{number}.py" for number in range(len(texts))]
        for path, text in zip(paths, texts):
            path.write_text(text)
        command = [self.program, "format", "--isolated", "--quiet", folder]
        subprocess.run(command, stderr=subprocess.DEVNULL)
        return [path.read_text() if valid(text) else None for path, text in zip(paths, texts)]


def valid(text):
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


class Prettier:
    """Formats JavaScript, with prettier's own settings."""

    extension = ".js"
    script = """
        const prettier = require('prettier');
        const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));
        const format = text => prettier.format(text, { parser: 'babel' }).catch(() => null);
        Promise.all(texts.map(format)).then(all => process.stdout.write(JSON.stringify(all)));
    """

    def __init__(self, folder):
        self.place = folder / FORMATTERS[1]
        if not (self.place / "node_modules").is_dir():
            self.place.mkdir(parents=True, exist_ok=True)
            run("npm", "install", "--silent", "--no-save", "--prefix", self.place, FORMATTERS[1])

    def __call__(self, texts, _folder):
        return json.loads(read("node", "-e", self.script, cwd=self.place, stdin=None, input=json.dumps(texts)))


def functions(text, extension):
    """Returns the first and last line of each function, counted from 0 and from 1: lines[first:last] is its text."""
    if extension == ".py":
        if not valid(text):
            return
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield node.lineno - 1, node.end_lineno
        return
    lines = text.split("\n")
    for first, line in enumerate(lines):
        if re.match(r"\s*((async |export )*function\b|[\w.]+ = (async )?function\b).*\{$", line):
            depth = re.match(r"\s*", line)[0]
            ends = (at for at in range(first + 1, len(lines)) if re.match(rf"{depth}\}}", lines[at]))
            if (last := next(ends, None)) is not None:
                yield first, last + 1


def change(lines, extension, rng):
    """Changes a line of a function: its number or a name, one line more, or one fewer."""
    simple = r"\s+[\w.]+( = |\().*" + (r";$" if extension == ".js" else r"[\w)\]'\"]$")
    places = [at for at in range(1, len(lines) - 1) if re.match(simple, lines[at])]
    if not places:
        return None
    at = rng.choice(places)
    line, depth = lines[at], re.match(r"\s*", lines[at])[0]
    kind = rng.choice(["value", "name", "more", "fewer"])
    if kind == "value":
        made = [re.sub(r"\b\d+\b", lambda match: str(int(match[0]) + 7), line, count=1)]
    elif kind == "name":
        made = [re.sub(r"\b([a-z]\w+)(?=[(.])", r"\1_checked", line, count=1)]
    elif kind == "more":
        made = [line, depth + ("trace('step');" if extension == ".js" else "trace('step')")]
    else:
        made = []
    return None if made == [line] else lines[:at] + made + lines[at + 1 :]


def formatted(folder):
    """Functions, quoted as they were, edited, in a file that a formatter has changed since."""
    cases = []
    for packages, formatter in ((PYTHON, Ruff()), (NPM, Prettier(folder))):
        made = []
        for package in packages:
            rng = random.Random(f"{SEED} {package}")
            texts = [(path, text) for path, text in files(package, folder).items() if path.endswith(formatter.extension)]
            now = formatter([text for _, text in texts], folder / "work" / f"{package}-files")
            found = []
            for (path, text), content in zip(texts, now):
                if content is None or content == text:
                    continue
                lines = text.split("\n")
                for first, last in functions(text, formatter.extension):
                    old = lines[first:last]
                    if len(old) not in LENGTHS or "\n".join(old) in content or text.count("\n".join(old)) != 1:
                        continue
                    if new := change(old, formatter.extension, rng):
                        edit = {"path": path, "content": content, "old": "\n".join(old), "new": "\n".join(new)}
                        found.append({**edit, "line": first + 1, "base": text})
            rng.shuffle(found)
            made += found[:FORMATTED_OF_PACKAGE]
        random.Random(SEED).shuffle(made)
        edited = [case["base"].replace(case["old"], case["new"], 1) for case in made]
        for case, expected in zip(made, formatter(edited, folder / "work" / f"edited{formatter.extension}")):
            if expected is not None and expected != case["content"]:
                cases.append({**case, "expected": expected, "formatter": formatter.extension})
        cases = cases[: FORMATTED * (1 + (formatter.extension == ".js"))]
    random.Random(SEED).shuffle(cases)
    return numbered("formatted", cases)


def commits(folder):
    """Differences of two versions of a package: each quoted with three lines of context from the older version, in the
    newer file with this difference taken back; every second one with a slip that both texts share."""
    cases = []
    for before, after in VERSIONS:
        rng = random.Random(f"{SEED} {before}")
        older, newer = (by_name(files(package, folder)) for package in (before, after))
        found = []
        for path in sorted(older.keys() & newer.keys()):
            old, new = older[path].split("\n"), newer[path].split("\n")
            for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
                if tag == "equal" or b - a > 20 or d - c > 20:
                    continue
                above, below = old[max(0, a - 3) : a], old[b : b + 3]
                quotes = above + old[a:b] + below, above + new[c:d] + below
                content = "\n".join(new[:c] + old[a:b] + new[d:])
                quote = "\n".join(quotes[0])
                if not quote.strip() or content.count(quote) > 1 or older[path].count(quote) > 1:
                    continue
                slipped = slip(*quotes, rng) if len(found) % 2 else quotes
                texts = ["\n".join(lines) for lines in slipped]
                if texts[0] == texts[1] or content == newer[path]:
                    continue
                case = {"path": path, "content": content, "old": texts[0], "new": texts[1], "expected": newer[path]}
                base = {} if slipped is not quotes else {"base": older[path]}
                found.append({**case, **base, "line": c - len(above) + 1})
        rng.shuffle(found)
        cases += found[:COMMITS_OF_PACKAGE]
    random.Random(SEED).shuffle(cases)
    return numbered("commits", cases[:COMMITS])


def slip(old, new, rng):
    """Loses the indentation that all lines share, the first line of context, or a space of the first double one."""
    kind = rng.choice(["indentation", "line", "spaces"])
    if kind == "line" and old[0] == new[0] and len(old) > 4 and old[1] == new[1]:
        return old[:1] + old[2:], new[:1] + new[2:]
    if kind == "spaces" and any("  " in line.strip() for line in old):
        return tuple([re.sub(r"(?<=\S) {2,}(?=\S)", " ", line) for line in lines] for lines in (old, new))
    depth = min((len(line) - len(line.lstrip()) for line in old + new if line.strip()), default=0)
    return tuple([line[depth:] for line in lines] for lines in (old, new))


def by_name(texts):
    """Leaves the folder with the version out of the paths."""
    return {re.sub(r"^[^/]*-\d[^/]*/", "", path): text for path, text in texts.items()}


def slips(folder, saved):
    """Edits of the same files with the slips of `cargo xtask fuzz`, which made them with `--texts` and `--save`."""
    cases = [json.loads(line) for line in pathlib.Path(saved).read_text().splitlines()]
    return numbered("slips", [case for case in cases if not case["drift"].startswith("plain")][:SLIPS])


def line(case):
    """Returns the true line of the quote, counted from 1, by the first line that the edit changes."""
    if case["expected"] is None:
        return 1

    def changed(before, after):
        pairs = enumerate(zip(before.split("\n"), after.split("\n")))
        return next((at for at, (old, new) in pairs if old != new), 0)

    return max(1, changed(case["content"], case["expected"]) - changed(case["old"], case["new"]) + 1)


def numbered(name, cases):
    require(cases, f"no cases of {name} were made")
    return [{**case, "id": f"{name}-{number}"} for number, case in enumerate(cases, 1)]
