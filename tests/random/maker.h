/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a seed chooses from: numbers, and times in every form of the grammar.
 */
#ifndef MAKER_H
#define MAKER_H

#include <stdbool.h>
#include <stdint.h>

struct machine {
	const char *name;
	int nr_cpus;
};

struct maker {
	uint64_t state; /* of the random numbers */
	const struct machine *machine;
	int nr_channels;
	bool has_groups; /* those of put_groups() */
	bool has_power;  /* CPUs go off and on */
	int nr_events;   /* for a suffix of each */
	int left;        /* thousandths of a CPU that deadline tasks may still have */
};

/* From 0 to @n - 1. */
int below(struct maker *k, int n);
int between(struct maker *k, int least, int most);
bool chance(struct maker *k, int percent);
/* A short time as often as a long one. */
int span_us(struct maker *k, int least_us, int most_us);
/* Prints a time or a distribution. */
void put_time(struct maker *k, int least_us, int most_us);

#endif
