# SPDX-License-Identifier: MIT
"""Pictures by gnuplot (Debian: gnuplot-nox)."""
import subprocess
import sys

HEAD = """set terminal pngcairo size 1000,600 font 'sans,12' background '#ffffff'
set output '{path}'
set title "{title}" noenhanced
set xlabel '{x}'
set ylabel '{y}'
set grid ytics lt 1 lc rgb '#e4e4e4'
set border 3
set tics nomirror
set key outside right top Left reverse spacing 1.2 noenhanced
{more}
plot {curves}
"""


def draw(path, title, axes, more, data, curves):
    """Draws curves of data blocks; `more` is further settings."""
    script = data + HEAD.format(path=path, title=title, x=axes[0], y=axes[1], more=more,
                                curves=', \\\n     '.join(curves))
    subprocess.run(['gnuplot'], input=script, text=True, check=True)


def draw_curves(path, title, axes, more, series, min_points=2):
    """Draws a picture of (label, colour, dash, [(x, y)]). A curve with fewer than min_points points
    is left out. Returns False, without a picture, if no curve has two points."""
    data, curves, most = '', [], 0
    for label, colour, dash, points in series:
        points = [point for point in points if point[1] is not None]
        if len(points) < min_points:
            continue
        most = max(most, len(points))
        name = f'$curve{len(curves)}'
        data += f'{name} << EOD\n' + ''.join(f'{x} {y:.6g}\n' for x, y in points) + 'EOD\n'
        curves.append(f"{name} with linespoints lw 2 dt {dash} pt 7 ps 0.8 lc rgb '{colour}' "
                      f"title '{label}'")
    if most < 2:
        print(f'{path}: too few rows', file=sys.stderr)
        return False
    draw(path, title, axes, more, data, curves)
    return True
