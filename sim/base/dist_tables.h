/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions as tables of fixed-point numbers with 32 bits after the point, to be
 * joined by straight lines.  make_tables.py writes them and their error bounds.
 */
#ifndef BASE_DIST_TABLES_H
#define BASE_DIST_TABLES_H

#include <stdint.h>

#define DIST_TABLE_BITS 8 /* an octave of ln or exp2 has 2^8 steps */
#define DIST_NORMAL_BITS 5
#define DIST_NORMAL_OCTAVES 32

/* ln(1 + i / 2^DIST_TABLE_BITS) */
extern const uint64_t dist_ln_table[(1 << DIST_TABLE_BITS) + 1];
/* 2^(i / 2^DIST_TABLE_BITS) */
extern const uint64_t dist_exp2_table[(1 << DIST_TABLE_BITS) + 1];
/*
 * What a standard normal variable exceeds with probability p, at
 * p = 2^(octave - DIST_NORMAL_OCTAVES - 1) * (1 + step / 2^DIST_NORMAL_BITS),
 * octave by octave; the last entry is p = 1/2.
 */
extern const uint64_t dist_normal_table[(DIST_NORMAL_OCTAVES << DIST_NORMAL_BITS) + 1];

#endif
