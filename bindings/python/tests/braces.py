"""Changes of real code in braces, and a judge without labels: a parser.

The same change is made in the tree of the text: an item is taken out with what hangs on it, and put beside another one. The
result has to have exactly this tree. Separators and plain comments are not in it: the parser rejects a wrong separator, and
comments are counted.
"""

from typing import NamedTuple, Optional

import tree_sitter
import tree_sitter_c
import tree_sitter_javascript
import tree_sitter_rust
from moves import Change

DEFINITION, METHOD, MEMBER, STATEMENT = "definition", "method", "member", "statement"


class Language(NamedTuple):
    parser: tree_sitter.Parser
    #: The items that a node contains, by its type.
    roles: dict
    functions: tuple
    #: Whether a function can stand between methods.
    are_methods_functions: bool


def language(module, functions, are_methods_functions, **sequences):
    roles = {name: role for role, names in sequences.items() for name in names.split()}
    parser = tree_sitter.Parser(tree_sitter.Language(module.language()))
    return Language(parser, roles, functions, are_methods_functions)


LANGUAGES = {
    "js": language(
        tree_sitter_javascript,
        ("function_declaration", "generator_function_declaration", "method_definition"),
        False,
        definition="program",
        method="class_body",
        member="object array switch_body jsx_element",
        statement="statement_block switch_case switch_default",
    ),
    "rs": language(
        tree_sitter_rust,
        ("function_item",),
        True,
        definition="source_file mod_item",
        method="impl_item trait_item",
        member="match_block enum_variant_list field_declaration_list field_initializer_list array_expression",
        statement="block",
    ),
    "c": language(
        tree_sitter_c,
        ("function_definition",),
        False,
        definition="translation_unit preproc_ifdef preproc_if",
        member="switch_statement enumerator_list initializer_list field_declaration_list",
        statement="compound_statement case_statement",
    ),
}

#: The nodes between items that are no items.
OTHERS = ("preproc_", "inner_attribute", "hash_bang", "labeled", "else_clause", "identifier", "jsx_o", "jsx_c", "jsx_t")


def is_comment(node):
    return node.type.endswith("comment")


def is_attached(node):
    """Returns whether a node hangs on the next one."""
    is_doc = node.text.startswith((b"///", b"/**")) and not node.text.startswith((b"////", b"/***", b"/**<"))
    return node.type == "attribute_item" or (is_comment(node) and is_doc)


class Item(NamedTuple):
    node: tree_sitter.Node
    parent: tree_sitter.Node
    #: The type of the node that contains it, which is not always its parent.
    sequence: str
    role: str
    hanging: list
    rows: range


class Source:
    """A text, and the items that share their lines with no other."""

    def __init__(self, language, text):
        self.language, self.text, self.lines = language, text, text.split("\n")
        self.tree = language.parser.parse(text.encode())
        self.items = []
        self.visit(self.tree.root_node)

    def visit(self, parent):
        roles, sequence = self.language.roles, parent.type
        if sequence in ("declaration_list", "compound_statement") and parent.parent.type in roles:
            sequence = parent.parent.type
        is_list = not any(child.type == "declaration_list" for child in parent.children)
        # A field without a semicolon may be continued by what comes below it.
        is_list &= not any(child.type == "field_definition" and child.next_sibling.type != ";" for child in parent.children)
        role = roles.get(sequence) if is_list and parent.type != "switch_statement" else None
        hanging = []
        for child in parent.children:
            self.visit(child)
            if not role or not child.is_named:
                continue
            is_beside = hanging and self.rows(hanging[-1])[-1] + 1 == child.start_point.row
            hanging = hanging if is_beside else []
            if is_attached(child) or (hanging and is_comment(child)):
                hanging.append(child)
                continue
            rows = self.rows(child)
            column = child.start_point.column
            if self.is_item(child, sequence) and self.is_alone(child, rows):
                if all(one.start_point.column == column for one in hanging):
                    self.items.append(Item(child, parent, sequence, role, hanging, rows))
            hanging = []

    def is_item(self, node, sequence):
        if is_comment(node) or node.type.startswith(OTHERS):
            return False
        if sequence == "block":
            # An expression without a semicolon is the value of the block.
            return node.type.endswith(("_declaration", "_item")) or node.type == "expression_statement"
        if sequence in ("switch_case", "switch_default", "case_statement"):
            return node.type.endswith(("_statement", "declaration"))
        return sequence != "switch_statement" or node.type == "case_statement"

    def rows(self, node):
        start, end = node.start_point, node.end_point
        return range(start.row, end.row + (end.column > 0))

    def is_alone(self, node, rows):
        before = self.lines[rows[0]].encode()[: node.start_point.column]
        after = self.lines[rows[-1]].encode()[node.end_point.column :] if node.end_point.column else b""
        after = after.strip().lstrip(b",; ")
        return not before.strip() and (not after or after.startswith(b"//") or (after[:2] == b"/*" and b"*/" in after))

    def end(self, function):
        """Returns the last statement of a function, or the value at its end, if it is alone in its lines."""
        body = function.node.child_by_field_name("body")
        named = [child for child in body.children if child.is_named and not is_comment(child)] if body else []
        if not named or not self.is_alone(named[-1], self.rows(named[-1])):
            return None
        return Item(named[-1], body, "", STATEMENT, [], self.rows(named[-1]))


class Tree:
    """The tree of a text, in lists that can be changed."""

    def __init__(self, source):
        self.known = {}
        self.root = self.made(source.tree.root_node)

    def made(self, node):
        text = node.text.decode()
        made = self.known[node.id] = [node.type, []]
        if "string" in node.type or node.type in ("char_literal", "regex"):
            # The value of a string keeps its blanks.
            made[1] = text
        elif is_comment(node) or not node.children:
            made[1] = " ".join(text.split()) or []
        else:
            kept = (child for child in node.children if child.type != "," and (not is_comment(child) or is_attached(child)))
            made[1] = [self.made(child) for child in kept if child.type != "jsx_text" or child.text.strip()]
        return made

    def parts(self, item):
        """Returns the children of the item's parent, and the first and the last part of the item with what hangs on it."""
        children = self.known[item.parent.id][1]
        indexes = {id(child): at for at, child in enumerate(children)}
        nodes = [*filter(is_attached, item.hanging), item.node]
        first, last = (indexes[id(self.known[node.id])] for node in (nodes[0], nodes[-1]))
        return children, first, last + any(child[0] in (";", "empty_statement") for child in children[last + 1 : last + 2])


def comments(node):
    own = [b" ".join(node.text.split())] if is_comment(node) else []
    return sum(map(comments, node.children), own)


def check(source, moved, other, is_below, leaves, has_hanging=True):
    """Returns the check that an item is beside another one, if there is one, and leaves its place or not."""

    def judged(output):
        tree = Tree(source)
        children, first, last = tree.parts(moved)
        parts = children[first : last + 1]
        if other:
            there, above, below = tree.parts(other)
            mark = []
            there.insert(below + 1 if is_below else above, mark)
        if leaves:
            first = next(at for at, child in enumerate(children) if child is parts[0])
            del children[first : first + len(parts)]
        if other:
            at = next(at for at, child in enumerate(there) if child is mark)
            there[at : at + 1] = parts if has_hanging else parts[sum(map(is_attached, moved.hanging)) :]
        got = Source(source.language, output)
        if got.tree.root_node.has_error:
            return "broken"
        if Tree(got).root != tree.root:
            return "another tree"
        is_lost = leaves and other and sorted(comments(got.tree.root_node)) != sorted(comments(source.tree.root_node))
        return "a comment changed" if is_lost else None

    return judged


def quoted(text, lines, rows, is_below, others):
    """Returns the shortest text of whole lines with a word at an end of an item that occurs once, if there is one."""
    start, end = (rows[-1], rows[-1] + 1) if is_below else (rows[0], rows[0] + 1)
    while 0 <= start and end <= len(lines) and not set(range(start, end)) & set(others):
        quote = "\n".join(lines[start:end])
        if any(c.isalnum() for c in quote) and text.count(quote) == 1:
            return quote
        start, end = (start - 1, end) if is_below else (start, end + 1)
    return None


class Pair(NamedTuple):
    kind: str
    moved: Item
    #: The item whose lines are named.
    named: Item
    #: The item beside which the moved one belongs.
    other: Item
    is_below: bool


def pairs(source, rng, each) -> "list[Pair]":
    """Returns pairs of an item and its new neighbour, of each kind."""
    made, alike, last = [], {}, {}
    for item in source.items:
        alike.setdefault((item.role, item.role == STATEMENT or item.sequence), []).append(item)
        last[item.parent.id] = item
    for (role, _), items in alike.items():
        for is_below in (True, False):
            for _ in range(each):
                other = rng.choice(items)
                kind = f"{role} {'below' if is_below else 'above'} {role}"
                made.append(Pair(kind, rng.choice(items), other, other, is_below))
    functions = [item for item in source.items if item.node.type in source.language.functions]
    ends = [(end, function) for function in functions if (end := source.end(function))]
    # A definition below the last method of a class is beside the class.
    classes = {item.node.id: item for item in source.items if item.role == DEFINITION}
    methods = [item for item in functions if item.role == METHOD and last[item.parent.id] is item]
    for _ in range(each if functions else 0):
        moved = rng.choice(functions)
        if ends:
            named, other = rng.choice(ends)
            if (moved.role, moved.sequence) == (other.role, other.sequence):
                made.append(Pair("function below the end of a body", moved, named, other, True))
        if methods and moved.role == DEFINITION:
            method = rng.choice(methods)
            other = method if source.language.are_methods_functions else classes.get(method.parent.parent.id)
            if other:
                made.append(Pair("function below the last method", moved, method, other, True))
    return made


def changes(name, text, rng, each=1):
    """Yields moves, copies, insertions and deletions of whole items of a text."""
    source = Source(LANGUAGES[name], text)
    # Without indentation, no line shows where its block ends.
    if source.tree.root_node.has_error or not any(line.startswith((" ", "\t")) for line in source.lines):
        return
    for kind, moved, named, other, is_below in pairs(source, rng, each):
        rows = set(moved.rows)
        old = "\n".join(source.lines[moved.rows[0] : moved.rows[-1] + 1])
        quote = quoted(text, source.lines, named.rows, is_below, moved.rows)
        is_clear = any(c.isalnum() for c in old) and text.count(old) == 1 and quote
        if not is_clear or rows & set(other.rows) or rows & set(named.rows):
            continue
        place = "after" if is_below else "before"
        edit = {"old": old, "move_" + place: quote}
        yield Change("move " + kind, text, edit, check(source, moved, other, is_below, True))
        if rng.randrange(3) == 0:
            yield Change("copy " + kind, text, {**edit, "copy": True}, check(source, moved, other, is_below, False))
        if rng.randrange(3) == 0 and moved.node.start_point.column == other.node.start_point.column:
            edit = {place: quote, "new": old + "\n"}
            yield Change("insert " + kind, text, edit, check(source, moved, other, is_below, False, False))
    for gone in rng.sample(source.items, min(each, len(source.items))):
        first, last = source.lines[gone.rows[0]], source.lines[gone.rows[-1]]
        # An inner line that equals the last one would be another end.
        is_only = last == first or last not in source.lines[gone.rows[0] : gone.rows[-1]]
        if any(c.isalnum() for c in first) and text.count(first) == 1 and is_only:
            edit = {"first": first, "last": last, "new": ""}
            yield Change("delete " + gone.role, text, edit, check(source, gone, None, True, True))
