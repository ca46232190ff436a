"""Edits and replays of Spark tables.

    >>> from fuzzy_edit.spark import apply_edits, replay
    >>> answers = apply_edits(edits, files)          # id, ok, output, code, rule, strategy, similarity, confidence
    >>> table = replay(logs, ladders=["adaptive", "full"])

It requires ``pip install 'fuzzy-edit[spark]'`` on the driver and on every executor.
"""

from ._apply import apply_edits
from ._replay import replay

__all__ = ["apply_edits", "replay"]

# Users import these functions from this package.
apply_edits.__module__ = replay.__module__ = __name__
