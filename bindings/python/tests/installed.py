"""Calls every function of the installed package, with only the standard library."""

import importlib.resources
import os
import pickle

import fuzzy_edit

assert "site-packages" in fuzzy_edit.__file__, fuzzy_edit.__file__
assert importlib.resources.files(fuzzy_edit).joinpath("py.typed").is_file()
assert importlib.resources.files(fuzzy_edit).joinpath("__init__.pyi").is_file()

TEXT = "def total(cart):\n\treturn sum(cart)\n"
result = fuzzy_edit.apply(TEXT, "    return sum(cart)", "    return 0")
assert result.output == "def total(cart):\n\treturn 0\n", result
assert pickle.loads(pickle.dumps(result)) == result
assert fuzzy_edit.locate(TEXT, "return  sum(cart)").places[0].lines == (2, 2)
assert "found: line 2" in str(fuzzy_edit.explain(TEXT, "return  sum(cart)"))
for ladder in fuzzy_edit.LADDERS:
    assert fuzzy_edit.apply(TEXT, "sum(cart)", "0", ladder=ladder).ok, ladder

patch = "a.py\n<<<<<<< SEARCH\n    return sum(cart)\n=======\n    return 0\n>>>>>>> REPLACE\n"
assert fuzzy_edit.apply_patch({"a.py": TEXT}, patch).files == {"a.py": result.output}

with open("a.py", "w") as file:
    file.write(TEXT)
assert fuzzy_edit.edit_file("a.py", "    return sum(cart)", "    return 0", root=os.getcwd()).ok
with open("a.py") as file:
    assert file.read() == result.output

try:
    fuzzy_edit.apply_batch([])
except fuzzy_edit.FuzzyEditError as error:
    assert error.code == "bad_input"
else:
    raise AssertionError("a list is no table")
print(fuzzy_edit.__version__, "is installed and works")
