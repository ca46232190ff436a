"""Draws bars of verdicts as an SVG: `chart.py FILE`, with the numbers as JSON on standard input."""

import json
import sys

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot

LABELS = ["right", "right but for whitespace", "refused", "wrong", "says “done”, changed nothing"]
COLOURS = {
    "light": {"text": "#1f2328", "bars": ["#1a7f37", "#8ddb9e", "#c8ced5", "#cf222e", "#e99a3c"]},
    "dark": {"text": "#e6edf3", "bars": ["#3fb950", "#1c6b2f", "#4d555f", "#f85149", "#b9721d"]},
}

given = json.load(sys.stdin)
colours, bars = COLOURS[given["colours"]], given["bars"]
settings = {"svg.fonttype": "none", "svg.hashsalt": "", "font.family": "sans-serif", "text.color": colours["text"]}
pyplot.rcParams.update({**settings, "font.size": 11, "xtick.color": colours["text"], "ytick.color": colours["text"]})
figure, axes = pyplot.subplots(figsize=(9, 0.42 * len(bars) + 1.1), layout="constrained")
names = [name for name, *_ in bars]
left = [0.0] * len(bars)
for at, (label, colour) in enumerate(zip(LABELS, colours["bars"])):
    shares = [100 * counts[at] / sum(counts) for _, *counts in bars]
    axes.barh(names, shares, left=left, label=label, color=colour, height=0.7)
    left = [before + share for before, share in zip(left, shares)]
axes.invert_yaxis()
axes.set_xlim(0, 100)
axes.set_xlabel("% of the edits of the three public sets", color=colours["text"])
axes.spines[:].set_visible(False)
axes.tick_params(length=0)
figure.legend(loc="outside upper center", ncols=3, frameon=False, fontsize=10)
figure.savefig(sys.argv[1], transparent=True, metadata={"Date": None})
