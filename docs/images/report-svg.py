#!/usr/bin/env python3
"""Coloured report text (ANSI) on stdin -> SVG on stdout. Draws the picture in docs/report.md.

Usage: report-svg.py < report.ansi > report.svg
"""
import re, sys
from html import escape
W, H, PAD = 8.4, 18, 16
COLOURS = {'': '#d4d4d4', '1': '#ffffff', '2': '#8a8a8a', '32': '#7ec87e', '1;31': '#ff6b6b', '33': '#e5c07b', '36': '#56b6c2'}
lines = sys.stdin.read().rstrip('\n').split('\n')
plain = [re.sub('\x1b\\[[0-9;]*m', '', l) for l in lines]
width, height = max(map(len, plain)) * W + 2 * PAD, len(lines) * H + 2 * PAD
print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}" font-family="ui-monospace,Menlo,Consolas,\'DejaVu Sans Mono\',monospace" font-size="14">')
print(f'<rect width="100%" height="100%" rx="8" fill="#1e1e1e"/>')
for row, line in enumerate(lines):
    column, colour = 0, ''
    for part in re.split('(\x1b\\[[0-9;]*m)', line):
        code = re.fullmatch('\x1b\\[([0-9;]*)m', part)
        if code:
            colour = '' if code[1] == '0' else code[1]
            continue
        # one <text> per word: it stays in its column whatever font the reader has
        for word in re.finditer(r'\S+(?: \S+)*', part):
            bold = ' font-weight="bold"' if colour in ('1', '1;31') else ''
            print(f'<text x="{PAD + (column + word.start()) * W:.1f}" y="{PAD + (row + 0.8) * H:.1f}" textLength="{len(word[0]) * W:.1f}" fill="{COLOURS[colour]}"{bold}>{escape(word[0])}</text>')
        column += len(part)
print('</svg>')
