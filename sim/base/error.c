/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of the two GError domains.
 */
#include <schedsim/error.h>

#include <errno.h>

G_DEFINE_QUARK(input_error, input_error)
G_DEFINE_QUARK(kernel_error, kernel_error)

const char *kernel_errno_name(int code)
{
	switch (code) {
	case EPERM:
		return "EPERM";
	case EAGAIN:
		return "EAGAIN";
	case EACCES:
		return "EACCES";
	case EBUSY:
		return "EBUSY";
	case ENODEV:
		return "ENODEV";
	case EINVAL:
		return "EINVAL";
	case ENOSPC:
		return "ENOSPC";
	}
	return "an unknown error";
}
