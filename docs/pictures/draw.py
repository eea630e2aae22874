#!/usr/bin/env python3
"""Runs a command in a terminal of a fixed width and writes what one sees as SVG.

usage: draw.py COLUMNS OUT.svg COMMAND...      (`./dev picture` redraws all pictures)
"""
import fcntl
import html
import os
import pty
import re
import struct
import sys
import termios

CELL_WIDTH, CELL_HEIGHT, FONT_SIZE, MARGIN = 8.4, 19, 14, 18
BACKGROUND, FOREGROUND = "#16181d", "#d7dae0"
STYLES = {
    "1": 'fill="#ffffff" font-weight="bold"', "2": 'fill="#868d99"', "31": 'fill="#ff7b72"', "32": 'fill="#7ee787"',
    "33": 'fill="#e3b341"', "34": 'fill="#79c0ff"', "35": 'fill="#d2a8ff"', "36": 'fill="#56d4dd"',
}


def run_in_terminal(columns, command):
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 60, columns, 0, 0))
        os.environ.update(TERM="xterm-256color")
        os.environ.pop("NO_COLOR", None)
        os.execvp(command[0], command)
    output = b""
    while True:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # how Linux reports that the other end is closed
            break
        if not chunk:
            break
        output += chunk
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
        sys.exit(output.decode())
    return output.decode().replace("\r\n", "\n").rstrip("\n").split("\n")


def spans(line):
    """The line's pieces as (column, text, style)."""
    column, style = 0, None
    for piece in re.split(r"(\x1b\[\d+m)", line):
        escape = re.fullmatch(r"\x1b\[(\d+)m", piece)
        if escape:
            style = STYLES.get(escape.group(1))
        elif piece:
            yield column, piece, style
            column += len(piece)


def svg(command, columns, lines):
    lines = [f"\x1b[32m$\x1b[0m {command}"] + lines
    width = round(columns * CELL_WIDTH + 2 * MARGIN)
    height = round(len(lines) * CELL_HEIGHT + 2 * MARGIN)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    yield f'<rect width="{width}" height="{height}" rx="8" fill="{BACKGROUND}"/>'
    yield (f'<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{FONT_SIZE}" '
           f'fill="{FOREGROUND}" xml:space="preserve">')
    for row, line in enumerate(lines):
        y = MARGIN + (row + 1) * CELL_HEIGHT - 5
        for column, text, style in spans(line):
            stripped = text.strip(" ")
            if not stripped:
                continue
            x = MARGIN + (column + len(text) - len(text.lstrip(" "))) * CELL_WIDTH
            length = len(stripped) * CELL_WIDTH
            yield (f'<text x="{x:.1f}" y="{y}" textLength="{length:.1f}" lengthAdjust="spacingAndGlyphs"'
                   f'{" " + style if style else ""}>{html.escape(stripped)}</text>')
    yield "</g></svg>"


def main():
    columns, out, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    shown = " ".join(["blockscope-cli"] + command[1:])
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(svg(shown, columns, run_in_terminal(columns, command))) + "\n")


if __name__ == "__main__":
    main()
