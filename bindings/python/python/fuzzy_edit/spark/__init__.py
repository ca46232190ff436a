"""Edits and replays of tables that Spark holds.

    >>> from fuzzy_edit.spark import apply_edits, replay
    >>> answers = apply_edits(edits, files)          # id, ok, output, code, rule, strategy, similarity, confidence
    >>> table = replay(logs, ladders=["adaptive", "full"])

It takes what ``pip install 'fuzzy-edit[spark]'`` installs, on the driver and on every executor.
"""

from ._apply import apply_edits
from ._replay import replay

__all__ = ["apply_edits", "replay"]

# Where users have them from.
apply_edits.__module__ = replay.__module__ = __name__
