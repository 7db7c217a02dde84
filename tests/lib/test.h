/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CMocka's includes in the order it wants, and what every test uses.
 */
#ifndef TEST_H
#define TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

/* @error has this domain, code and exact message; it is freed. */
void assert_error(GError *error, GQuark domain, int code, const char *message);

#endif
