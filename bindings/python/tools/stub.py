"""Writes the type stub of the package, `fuzzy_edit/__init__.pyi`. `build.rs` runs it.

The docstrings are copied from the doc comments of the Rust sources, and the classes from `record!`. The types of the
functions are in this file.
"""

import pathlib
import re

PACKAGE = pathlib.Path(__file__).parents[1]
FOLDER = PACKAGE / "python/fuzzy_edit"

# In the order of the classes in the stub.
SOURCES = ["answer.rs", "explanation.rs", "files.rs", "workspace.rs"]

# Parameters that several functions share; `{ladder timeout}` is replaced by their declarations.
SHARED = {
    "ladder": 'str = "adaptive"',
    "replace_all": "bool = False",
    "line": "int | None = None",
    "min_confidence": "float | None = None",
    "raw_endings": "bool = False",
    "timeout": "float | None = 2.0",
    "max_bytes": "int = 33_554_432",
    "first": "str | None = None",
    "last": "str | None = None",
    "expected_lines": "int | None = None",
    "after": "str | None = None",
    "before": "str | None = None",
    "lines": "tuple[int, int] | None = None",
    "base": "str | None = None",
    "move_after": "str | None = None",
    "move_before": "str | None = None",
    "move_to": "str | PathLike[str] | None = None",
    "copy": "bool = False",
    "cell": "str | int | None = None",
    "insert_cell": 'Literal["before", "after"] | None = None',
    "cell_type": 'Literal["code", "markdown", "raw"] | None = None',
    "delete_cell": "bool = False",
}

HEAD = """\
from collections.abc import Mapping
from os import PathLike
from typing import Any, Literal, Protocol, final

from ._workspace import Edit as Edit
from ._workspace import NewPlace as NewPlace
from ._workspace import Workspace as Workspace

"""

FUNCTIONS = '''
class _Table(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

LADDERS: tuple[str, ...]
"""The names of the ladders, for the parameter ``ladder``."""
__version__: str

class FuzzyEditError(ValueError):
    <error>

def apply(
    text: str,
    old: str | None = None,
    new: str | None = None,
    *,
    {ladder replace_all line base min_confidence raw_endings timeout max_bytes}
    {first last expected_lines after before lines}
    {move_after move_before copy}
) -> Result: ...

def locate(
    text: str,
    old: str | None = None,
    new: str | None = None,
    *,
    {ladder replace_all line base min_confidence raw_endings timeout max_bytes}
    {first last expected_lines after before lines}
) -> Located: ...

def explain(
    text: str,
    old: str | None = None,
    new: str | None = None,
    *,
    {ladder replace_all line base min_confidence raw_endings timeout max_bytes}
    {first last expected_lines after before lines}
) -> Explanation: ...

def apply_batch(
    table: _Table,
    *,
    {ladder min_confidence raw_endings timeout max_bytes}
    threads: int | None = None,
) -> AnswerStream: ...

def apply_patch(
    files: Mapping[str, str],
    patch: str,
    *,
    file: str | None = None,
    reverse: bool = False,
    strip: int | None = None,
    {ladder min_confidence timeout max_bytes}
) -> PatchResult: ...

def edit_file(
    path: str | PathLike[str],
    old: str | None = None,
    new: str | None = None,
    *,
    root: str | PathLike[str] | None = None,
    {replace_all line}
    count: int | None = None,
    expected_hash: str | None = None,
    dry_run: bool = False,
    encoding: str | None = None,
    {ladder min_confidence timeout max_bytes}
    {first last expected_lines after before lines}
    {move_after move_before move_to copy}
    {cell insert_cell cell_type delete_cell}
) -> FileResult: ...
'''

ANSWER_STREAM = '''@final
class AnswerStream:
    {docs}

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Returns the stream; raises ``FuzzyEditError`` after the first call."""
'''


def shared(names):
    """Returns the declarations of shared parameters, one per line."""
    return "\n    ".join(f"{name}: {SHARED[name]}," for name in names.split())


def exported():
    """Returns the source text of `__all__` of the package."""
    return re.search(r"^__all__ = \[.*?^\]\n", (FOLDER / "__init__.py").read_text("utf-8"), re.M | re.S)[0]


def source(name):
    """Returns the text of a Rust source file."""
    return (PACKAGE / "src" / name).read_text("utf-8")


def shared_docs():
    """Returns the expansions of `about!`, by word."""
    arms = re.findall(r'\((\w+)\) => \{\s*"((?:[^"\\]|\\.)*)"', source("docs.rs"))
    return {word: text.replace("\\n", "\n") for word, text in arms}


def doc(lines):
    """Converts doc comments to the text of a docstring."""
    known = shared_docs()
    text = []
    for line, word in re.findall(r"^ *(?:///(?: (.*))?|#\[doc = about!\((\w+)\)\])$", lines, re.M):
        text.append(known[word] if word else line)
    return "\n".join(text)


def docstring(text, indent="    "):
    """Returns a docstring as Python source."""
    lines = "\n".join(indent + line if line else "" for line in text.split("\n")).strip()
    raw = "r" if "\\" in text else ""
    return f'{raw}"""{lines}' + (f'\n{indent}"""' if "\n" in text else '"""')


def functions():
    """Returns the docs of every function, by name."""
    found = re.findall(r"((?: *(?:///|#\[doc = ).*\n)+) *#\[pyfunction\](?:.*\n)+? *fn (\w+)", source("lib.rs"))
    return {name: doc(lines) for lines, name in found}


def records():
    """Yields the name, the docs, the fields and the methods of every class that `record!` defines."""
    for name in SOURCES:
        for block in re.findall(r"^record! \{\n(.*?)^\}", source(name), re.M | re.S):
            docs, name, fields, methods = re.fullmatch(r"(.*?)    (\w+)(?: = \S+)? \{\n(.*?)^    \}(.*)", block, re.M | re.S).groups()
            found = re.findall(r'((?: +///.*\n)+) +(\w+): "(.*)",\n', fields)
            fields = [(" ".join(doc(lines).split("\n")), field, kind) for lines, field, kind in found]
            yield name, class_doc(doc(docs), fields), fields, methods


def class_doc(text, fields):
    """Returns the docstring of a class in the form that `record!` generates."""
    return "\n".join([text, "", *(f":ivar {field}: {kind}. {text}" for text, field, kind in fields)])


def error():
    """Returns the body of the class of exceptions."""
    text = re.search(r'create_exception!\(.*?((?: *".*"?\n|.*\\n\\\n)+)\);', source("error.rs"), re.S)[1]
    text = re.sub(r"\\\n *", "", text.strip().strip('"')).replace("\\n", "\n")
    fields = re.findall(r":ivar (\w+): (.*)", text)
    declared = (f'\n    {field}: str\n    """{what}"""' for field, what in fields)
    return "\n".join([docstring(text), *declared])


def methods():
    """Returns the docs of the methods that every class has."""
    found = re.findall(r"((?: *///.*\n)+)(?: *#\[.*\n)* *fn (\w+)", source("record.rs"))
    return {name: doc(lines) for lines, name in found}


def rendered(name, docs, fields, own):
    """Returns the declaration of a class."""
    parameters = "".join(f", {field}: {kind}" for _, field, kind in fields)
    properties = "".join(
        f'    @property\n    def {field}(self) -> {kind}:\n        """{text}"""\n\n' for text, field, kind in fields
    )
    # `object` declares `__str__` and `__repr__`, but not the method for notebooks.
    shown = "    def _repr_html_(self) -> str: ...\n" if "_repr_html_" in own else ""
    shown += "    def __bool__(self) -> bool: ...\n" if any(field == "ok" for _, field, _ in fields) else ""
    shared = methods()
    docs_of = {method: docstring(shared[method], " " * 8) for method in ("to_dict", "to_json", "__replace__")}
    return f'''@final
class {name}:
    {docstring(docs)}

    __match_args__: tuple[str, ...]

    def __new__(cls{parameters}) -> {name}: ...
{properties}    def to_dict(self) -> dict[str, Any]:
        {docs_of["to_dict"]}

    def to_json(self) -> str:
        {docs_of["to_json"]}

    def __replace__(self, **changes: Any) -> {name}:
        {docs_of["__replace__"]}

{shown}    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[{name}], tuple[Any, ...]]: ...

'''


def stub():
    """Returns the text of the stub."""
    text = re.sub(r"\{(.*?)\}", lambda names: shared(names[1]), FUNCTIONS)
    for name, docs in functions().items():
        text = re.sub(rf"(def {name}\(.*?\) -> \w+:) \.\.\.", lambda it: f"{it[1]}\n    {docstring(docs)}", text, flags=re.S)
    classes = "".join(rendered(*record) for record in records())
    text = text.replace("<error>", error())
    stream = re.search(r"((?:///.*\n)+)#\[pyclass[^\n]*\npub\(crate\) struct AnswerStream", source("table.rs"))[1]
    return HEAD + exported() + text + "\n" + classes + ANSWER_STREAM.format(docs=docstring(doc(stream)))


if __name__ == "__main__":
    text, file = stub(), FOLDER / "__init__.pyi"
    # A new time of the file would make cargo run this again.
    if not file.is_file() or file.read_text("utf-8") != text:
        file.write_text(text, "utf-8")
