/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is not simulated, in words.
 */
#ifndef REPORT_LIMITS_H
#define REPORT_LIMITS_H

struct limit {
	const char *what, *consequence;
};

/* Ends with a NULL. */
const struct limit *limits(void);

#endif
