/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads any bytes as a workload: a result or an error, never a crash.
 */
#include "workload/read_workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GError) error = NULL;
	struct workload_input in;

	if (workload_read_text((const char *)data, size, "fuzz.json", NULL, &in,
			       &error))
		workload_input_clear(&in);
	else
		g_assert_nonnull(error);
	return 0;
}
