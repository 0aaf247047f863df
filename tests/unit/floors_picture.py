# SPDX-License-Identifier: MIT
"""Draws the floors of src/ as SVG, from the data of floors.py, which prints it with --svg."""

import html
import textwrap

WIDTH, MARGIN, LABEL, LINE, PAD = 920, 16, 140, 19, 12
COLUMNS, GAP, BOX = 3, 10, 46  # of the boxes of operations
CHARACTERS = 90  # of a line of text
STYLE = """text { font: 14px sans-serif; fill: #222; }
.name { font: bold 15px monospace; }
.small { font-size: 12px; fill: #555; }
rect { fill: #eef3fa; stroke: #4a6a94; }
.box { fill: #fff; }
.page { fill: #fff; stroke: none; }
line { stroke: #4a6a94; stroke-dasharray: 6 4; }"""


class Picture:
    def __init__(self):
        self.y, self.parts = MARGIN, []

    def text(self, x, y, text, kind=""):
        style = f' class="{kind}"' if kind else ""
        self.parts.append(f'<text x="{x}" y="{y}"{style}>{html.escape(text)}</text>')

    def rect(self, x, y, width, height, kind=""):
        style = f' class="{kind}"' if kind else ""
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4"{style}/>')

    def floor(self, name, contents, knows, boxes):
        """A floor: its name, what it has and knows, and boxes of a title and a line each."""
        lines = textwrap.wrap(contents, CHARACTERS)
        rows = -(-len(boxes) // COLUMNS)
        height = 2 * PAD + LINE * (len(lines) + 1) - 6 + rows * (BOX + GAP)
        self.rect(MARGIN, self.y, WIDTH - 2 * MARGIN, height)
        y = self.y + PAD + 12
        self.text(MARGIN + PAD, y, name, "name")
        for number, line in enumerate(lines):
            self.text(LABEL, y + number * LINE, line)
        self.text(LABEL, y + len(lines) * LINE, f"knows {knows}", "small")
        y += len(lines) * LINE + GAP
        self.boxes(y, boxes)
        self.y += height + 8

    def boxes(self, y, boxes):
        width = (WIDTH - MARGIN - PAD - LABEL - (COLUMNS - 1) * GAP) // COLUMNS
        for number, (title, line) in enumerate(boxes):
            x = LABEL + number % COLUMNS * (width + GAP)
            top = y + number // COLUMNS * (BOX + GAP)
            self.rect(x, top, width, BOX, "box")
            self.text(x + 8, top + 19, title, "name")
            self.text(x + 8, top + 37, line, "small")

    def divide(self, text):
        self.y += 2
        self.parts.append(f'<line x1="{MARGIN}" y1="{self.y}" x2="{WIDTH - MARGIN}" y2="{self.y}"/>')
        self.text(LABEL, self.y + 15, text, "small")
        self.y += 26

    def svg(self):
        height = self.y + MARGIN - 8
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            f'width="{WIDTH}" height="{height}">',
            "<!-- SPDX-License-Identifier: MIT. Made by tests/unit/floors.py -->",
            f"<style>{STYLE}</style>",
            f'<rect class="page" width="{WIDTH}" height="{height}"/>', *self.parts, "</svg>", ""])


def draw(floors, top, operations):
    """The picture of `floors`, from the ground up: name -> contents, knowledge; of the row of the
    floor above them; and of operations: name -> the others whose doors it uses."""
    picture = Picture()
    picture.floor(top[0] + "/", *top[1:], [])
    picture.divide("the public headers (include/vkreduce), and what the library exports")
    boxes = [(name, "uses " + ", ".join(sorted(uses)) if uses else "uses no other operation")
             for name, uses in sorted(operations.items())]
    for name, (contents, knows) in reversed(floors.items()):
        label = name if name == "modules" else name + "/"  # modules have no folder
        picture.floor(label, contents, knows, boxes if name == "op" else [])
    return picture.svg()
