#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes dist_tables.c, the fixed-point tables that distributions are drawn from.

    python3 sim/base/make_tables.py sim/base/dist_tables.c
    clang-format -i sim/base/dist_tables.c

The result is kept beside this file: a build needs no Python, and every machine
draws from the same integers, whatever its libm.  Each table's comment states how
far a straight line between its entries strays from the function, measured here
at 64 points of every interval.
"""
import math
import statistics
import sys

ONE = 1 << 32
LN_STEPS = 256
EXP2_STEPS = 256
NORMAL_STEPS = 32  # of each octave of the tail's probability
NORMAL_OCTAVES = 32


def tail_quantile(p):
    """The z that a standard normal variable exceeds with probability p."""
    return 0.0 if p == 0.5 else -statistics.NormalDist().inv_cdf(p)


def tail_probability(i):
    """Entry i of the normal table; ascending, the last one is 1/2."""
    octave, step = divmod(i, NORMAL_STEPS)
    return 2.0 ** (octave - NORMAL_OCTAVES - 1) * (1 + step / NORMAL_STEPS)


def worst_error(function, points, relative=False):
    worst = 0.0
    for low, high in zip(points, points[1:]):
        for i in range(65):
            x = low + (high - low) * i / 64
            line = function(low) + (function(high) - function(low)) * i / 64
            error = abs(line - function(x))
            worst = max(worst, error / function(x) if relative else error)
    return worst


def write_table(out, name, comment, function, points, relative=False):
    bound = worst_error(function, points, relative)
    kind = "of the value" if relative else "in all"
    entries = ", ".join(str(round(function(x) * ONE)) for x in points)
    out.write(f"\n/* {comment}; error of straight lines: {bound:.1e} {kind} */\n")
    out.write(f"const uint64_t {name}[] = {{{entries}}};\n")


def main():
    with open(sys.argv[1], "w", encoding="ascii") as out:
        out.write("/* SPDX-License-Identifier: GPL-2.0-or-later */\n")
        out.write("/*\n * Fixed-point tables with 32 bits after the point, written by make_tables.py.\n"
                  " */\n")
        out.write('#include "base/dist_tables.h"\n')
        write_table(out, "dist_ln_table", "ln(1 + i / 256)", math.log,
                    [1 + i / LN_STEPS for i in range(LN_STEPS + 1)])
        write_table(out, "dist_exp2_table", "2^(i / 256)", lambda x: 2.0 ** x,
                    [i / EXP2_STEPS for i in range(EXP2_STEPS + 1)], relative=True)
        write_table(out, "dist_normal_table",
                    "normal quantile of 1 - p", tail_quantile,
                    [tail_probability(i)
                     for i in range(NORMAL_OCTAVES * NORMAL_STEPS + 1)])


main()
