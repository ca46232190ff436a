"""Moves of real code, and a judge without labels: a syntax tree or a JSON parser says whether the result is right.

A move is a text, its lines to move (counted from 0, the end not included), the line beside the new place, and a check of
the result that returns what is wrong with it, or none.
"""

import ast
import json
import random
from typing import Callable, NamedTuple, Optional


class Move(NamedTuple):
    kind: str
    text: str
    lines: tuple
    beside: int
    is_below: bool
    check: Callable[[str], Optional[str]]


def values(tree):
    """Returns the values of a tree that a wrong indentation would change, with docstrings as their readers see them."""
    docs = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            docs.add(id(body[0].value))
    return [
        " ".join(node.value.split()) if id(node) in docs and isinstance(node.value, str) else node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
    ]


def start(node):
    return min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))]) - 1


class Source:
    """A file, its functions, and the statements of their bodies."""

    def __init__(self, text):
        self.text, self.lines, self.tree = text, text.split("\n"), ast.parse(text)
        self.functions, self.methods, self.classes, self.statements = [], [], [], []
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef):
                self.functions.append(node)
            elif isinstance(node, ast.ClassDef):
                self.classes.append(node)
                self.methods += [child for child in node.body if isinstance(child, ast.FunctionDef)]
        for function in self.functions + self.methods:
            self.blocks(function)

    def blocks(self, function):
        """Collects pairs of a block's last statement and another one of the function that can stand anywhere."""
        for node in ast.walk(function):
            for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
                if isinstance(body, list) and body and self.is_alone(body[-1]):
                    self.statements += [
                        (function, statement, body[-1])
                        for statement in function.body[1:]
                        if isinstance(statement, (ast.Assign, ast.Expr, ast.AugAssign)) and self.is_alone(statement)
                        if statement is not body[-1]
                    ]

    def is_alone(self, node):
        """Returns whether a statement shares no line with another one."""
        line = self.lines[node.lineno - 1]
        is_simple = not any(isinstance(child, ast.stmt) for child in ast.iter_child_nodes(node))
        after = self.lines[node.end_lineno - 1].encode()[node.end_col_offset :].decode()
        return is_simple and not line[: node.col_offset].strip() and not after.strip()


def find(tree, name, parents=()):
    body = getattr(tree, "body", None)
    for node in body if isinstance(body, list) else ():
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
            yield node, (*parents, tree)
    for node in ast.iter_child_nodes(tree):
        yield from find(node, name, (*parents, tree))


def parsed(source, output):
    """Returns the syntax tree of a result, and the fault of one that is broken or has other values than its source."""
    try:
        tree = ast.parse(output)
    except SyntaxError as error:
        return None, f"broken: {error}"
    is_same = sorted(map(repr, values(tree))) == sorted(map(repr, values(source.tree)))
    return tree, None if is_same else "a value changed"


def function_check(source, moved, other, is_below):
    """Returns the check that `moved` is the neighbour of `other`, in its body, and nothing else changed."""

    def check(output):
        tree, fault = parsed(source, output)
        if fault:
            return fault
        for node, parents in find(tree, other.name):
            body = parents[-1].body
            if node.lineno is None or ast.dump(node) != ast.dump(other):
                continue
            at = body.index(node) + (1 if is_below else -1)
            if 0 <= at < len(body):
                there = body[at]
                if getattr(there, "name", None) == moved.name:
                    if [ast.dump(d) for d in there.decorator_list] != [ast.dump(d) for d in moved.decorator_list]:
                        return "a decorator was lost"
                    return None
        return "nested"

    return check


def statement_check(source, moved, end):
    depth = end.col_offset

    def check(output):
        tree, fault = parsed(source, output)
        if fault:
            return fault
        for node in ast.walk(tree):
            for name in ("body", "orelse"):
                body = getattr(node, name, None)
                for one, two in zip(body, body[1:]) if isinstance(body, list) else ():
                    if ast.dump(one) == ast.dump(end) and ast.dump(two) == ast.dump(moved):
                        return None if two.col_offset == depth else "another depth"
        return "another block"

    return check


KINDS = [
    ("function below function", "functions", "functions", True),
    ("function above function", "functions", "functions", False),
    ("function below method", "functions", "methods", True),
    ("function above method", "functions", "methods", False),
    ("method below method", "methods", "methods", True),
    ("method below function", "methods", "functions", True),
    ("method above class", "methods", "classes", False),
    ("class above class", "classes", "classes", False),
]


def python_moves(text, rng, each=1):
    """Returns moves of whole functions and of statements of a Python file."""
    try:
        source = Source(text)
    except (SyntaxError, ValueError):
        return
    for kind, moved, others, is_below in KINDS:
        moved, others = getattr(source, moved), getattr(source, others)
        if not moved or not others:
            continue
        for _ in range(each):
            one, other = rng.choice(moved), rng.choice(others)
            is_inside = start(one) <= start(other) <= one.end_lineno or start(other) <= start(one) <= other.end_lineno - 1
            names = [node.name for node in ast.walk(source.tree) if hasattr(node, "name") and hasattr(node, "body")]
            is_alone = not source.lines[one.end_lineno - 1].encode()[one.end_col_offset :].strip()
            if is_inside or one.name == other.name or names.count(one.name) > 1 or not is_alone:
                continue
            if isinstance(one, ast.FunctionDef) and one.lineno == one.end_lineno:
                continue
            beside = other.end_lineno - 1 if is_below else other.lineno - 1
            # The lines are named without what hangs on them.
            lines = (one.lineno - 1, one.end_lineno)
            yield Move(kind, text, lines, beside, is_below, function_check(source, one, other, is_below))
    if source.statements:
        for _ in range(each):
            _, statement, end = rng.choice(source.statements)
            if end.lineno <= statement.lineno <= end.end_lineno or end.end_lineno + 1 == statement.lineno:
                continue
            lines = (statement.lineno - 1, statement.end_lineno)
            beside = end.end_lineno - 1
            yield Move("statement below the end of a block", text, lines, beside, True, statement_check(source, statement, end))


def random_json(rng, depth=0):
    kind = rng.randrange(6 if depth < 3 else 3)
    if kind < 3:
        return [rng.randrange(100), rng.choice(["a, b", "{x", "", "// no", "y,"]), None][kind]
    if kind == 3:
        return [random_json(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {f"k{rng.randrange(10**6)}": random_json(rng, depth + 1) for _ in range(rng.randrange(1, 5))}


def json_members(rng):
    """Returns a JSON text, and the lines of each member of an object of it."""
    members = [(f"m{number}", random_json(rng)) for number in range(rng.randrange(2, 6))]
    indent = rng.choice([2, 4, "\t"])
    text = json.dumps({"before": 1, "object": dict(members), "after": [1]}, indent=indent, ensure_ascii=False) + "\n"
    lines = text.split("\n")
    lead = 2 * (indent if isinstance(indent, str) else " " * indent)
    starts = [at for at, line in enumerate(lines) if line.startswith(lead + '"m')]
    # The object is the only one with such names.
    end = next(at for at in range(starts[-1] + 1, len(lines)) if lines[at].startswith(lead[: len(lead) // 2] + "}"))
    return text, members, list(zip(starts, [*starts[1:], end])), lead


def json_check(expected):
    def check(output):
        try:
            got = json.loads(output, object_pairs_hook=list)
        except ValueError as error:
            return f"invalid: {error}"
        got = dict(got)["object"]
        return None if [name for name, _ in got] == expected else f"order {[name for name, _ in got]}"

    return check


def json_moves(rng):
    """Returns a move of a member of a JSON object to each kind of place."""
    text, members, lines, _ = json_members(rng)
    count = len(members)
    names = [name for name, _ in members]
    for kind, one, other, is_below in [
        ("first below last", 0, count - 1, True),
        ("last above first", count - 1, 0, False),
        ("last below first", count - 1, 0, True),
        ("first above last", 0, count - 1, False),
    ]:
        order = [name for name in names if name != names[one]]
        order.insert(order.index(names[other]) + is_below, names[one])
        beside = lines[other][1] - 1 if is_below else lines[other][0]
        if order != names:
            yield Move("member: " + kind, text, lines[one], beside, is_below, json_check(order))


class Change(NamedTuple):
    kind: str
    text: str
    edit: dict
    check: Callable[[str], Optional[str]]


def json_changes(rng):
    """Returns an insertion above the first member, below the first and the last one, and deletions of both ends."""
    text, members, lines, lead = json_members(rng)
    names = [name for name, _ in members]
    ends = [text.split("\n")[start:end] for start, end in lines]
    new = f'{lead}"new": [{rng.randrange(9)}]' + rng.choice(["", ","])
    for kind, place, quote, order in [
        ("insert above the first", "before", ends[0], ["new", *names]),
        ("insert below the first", "after", ends[0], [names[0], "new", *names[1:]]),
        ("insert below the last", "after", ends[-1], [*names, "new"]),
    ]:
        yield Change(kind, text, {place: "\n".join(quote), "new": new}, json_check(order))
    for kind, quote, order in [("delete the first", ends[0], names[1:]), ("delete the last", ends[-1], names[:-1])]:
        edit = {"first": quote[0], "last": quote[-1], "expected_lines": len(quote), "new": ""}
        yield Change(kind, text, edit, json_check(order))
