"""Draws shares as stacked bars: an SVG whose colours follow the page, light or dark."""

import html

LABELS = ["right", "right but for whitespace", "refused", "wrong", "says “done”, changed nothing"]
LIGHT = ["#1a7f37", "#8ddb9e", "#c8ced5", "#cf222e", "#e99a3c"]
DARK = ["#3fb950", "#1c6b2f", "#4d555f", "#f85149", "#b9721d"]
#: Pixels: the bar's left edge and width, the height of a row, and the top of the first row.
LEFT, WIDTH, ROW, TOP = 240, 600, 30, 70


def style(text, colours):
    return f"text{{fill:{text}}}" + "".join(f".b{at}{{fill:{colour}}}" for at, colour in enumerate(colours))


def drawn(bars):
    """Returns the SVG of some bars: each a name and its counts or shares, in the order of the labels."""
    height = TOP + ROW * len(bars)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {height + 45}" '
        'font-family="sans-serif" font-size="14">',
        f"<style>{style('#1f2328', LIGHT)}@media(prefers-color-scheme:dark){{{style('#e6edf3', DARK)}}}</style>",
    ]
    for at, label in enumerate(LABELS):
        x, y = LEFT - 60 + at % 3 * 230, 12 + at // 3 * 24
        parts.append(f'<rect class="b{at}" x="{x}" y="{y}" width="24" height="14"/><text x="{x + 32}" y="{y + 12}">{label}</text>')
    for row, (name, *counts) in enumerate(bars):
        x, y = float(LEFT), TOP + row * ROW
        parts.append(f'<text x="{LEFT - 8}" y="{y + 16}" text-anchor="end">{html.escape(name)}</text>')
        for at, count in enumerate(counts):
            width = WIDTH * count / sum(counts)
            if width:
                parts.append(f'<rect class="b{at}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="21"/>')
            x += width
    for share in range(0, 101, 20):
        x = LEFT + WIDTH * share / 100
        parts.append(f'<text x="{x:g}" y="{height + 10}" text-anchor="middle">{share}</text>')
    middle = LEFT + WIDTH / 2
    parts.append(f'<text x="{middle:g}" y="{height + 32}" text-anchor="middle">% of the edits of the three public sets</text>')
    return "\n".join([*parts, "</svg>\n"])
