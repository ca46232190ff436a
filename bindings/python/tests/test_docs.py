"""The docstrings that notebooks, `help` and Sphinx show."""

import ast
import doctest
import importlib.resources
import inspect
import re

import fuzzy_edit
import pytest

PUBLIC = {name: getattr(fuzzy_edit, name) for name in fuzzy_edit.__all__}
FUNCTIONS = {name: value for name, value in PUBLIC.items() if inspect.isroutine(value)}
CLASSES = {name: value for name, value in PUBLIC.items() if inspect.isclass(value)}

STUB = ast.parse(importlib.resources.files(fuzzy_edit).joinpath("__init__.pyi").read_text("utf-8"))
DECLARED = {node.name: node for node in STUB.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_all_that_its_caller_has_to_know(name):
    function = FUNCTIONS[name]
    assert (function.__module__, function.__name__) == ("fuzzy_edit", name)
    doc = inspect.getdoc(function)
    for parameter in inspect.signature(function).parameters:
        assert f"\n:param {parameter}: " in doc, parameter
    for part in ["\n>>> import fuzzy_edit", "\n:returns: ", "\n:raises FuzzyEditError: ", "``bad_input``"]:
        assert part in doc, part


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_signature_is_that_of_the_stub(name):
    declared = DECLARED[name].args
    defaults = dict(zip(reversed(declared.args), reversed(declared.defaults)))
    defaults.update(zip(declared.kwonlyargs, declared.kw_defaults))
    expected = [
        (argument.arg, ast.literal_eval(default) if default else inspect.Parameter.empty, argument in declared.kwonlyargs)
        for argument in declared.args + declared.kwonlyargs
        for default in [defaults.get(argument)]
    ]
    found = inspect.signature(FUNCTIONS[name]).parameters.values()
    assert [(it.name, it.default, it.kind is it.KEYWORD_ONLY) for it in found] == expected


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_says_what_its_values_hold(name):
    kind = CLASSES[name]
    assert (kind.__module__, kind.__qualname__) == ("fuzzy_edit", name)
    doc = inspect.getdoc(kind)
    for field in getattr(kind, "__match_args__", ()):
        assert re.search(rf"^:ivar {field}: .+\. \S.*$", doc, re.M), field
        assert inspect.getdoc(getattr(kind, field)), field
    if hasattr(kind, "__match_args__"):
        assert tuple(inspect.signature(kind).parameters) == kind.__match_args__


@pytest.mark.parametrize("name", DECLARED.keys() & PUBLIC.keys())
def test_the_stub_has_the_same_docs(name):
    assert inspect.getdoc(PUBLIC[name]) == ast.get_docstring(DECLARED[name])


@pytest.mark.parametrize("name", ["fuzzy_edit", "Workspace", *FUNCTIONS])
def test_the_examples_come_out_as_they_say(name, capsys):
    value = fuzzy_edit if name == "fuzzy_edit" else PUBLIC[name]
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(value), {}, name, None, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0, capsys.readouterr().out
