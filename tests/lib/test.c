/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

void assert_error(GError *error, GQuark domain, int code, const char *message)
{
	assert_non_null(error);
	assert_string_equal(error->message, message);
	assert_int_equal(error->domain, domain);
	assert_int_equal(error->code, code);
	g_error_free(error);
}
