/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two domains of GError: what is wrong with a user's input, and what a
 * real kernel would have refused (the code is then its errno).
 */
#ifndef SCHEDSIM_ERROR_H
#define SCHEDSIM_ERROR_H

#include <glib.h>

#define INPUT_ERROR input_error_quark()
GQuark input_error_quark(void);

enum input_error {
	INPUT_ERROR_SYNTAX,      /* not JSON, or not the grammar's form */
	INPUT_ERROR_VALUE,       /* well formed, but not a value that is accepted */
	INPUT_ERROR_UNSUPPORTED, /* understood, but not simulated yet */
	INPUT_ERROR_FILE,        /* cannot be read or written */
};

#define KERNEL_ERROR kernel_error_quark()
GQuark kernel_error_quark(void);

/* "EBUSY" and so on, for errors that the simulator gives. */
const char *kernel_errno_name(int code);

#endif
