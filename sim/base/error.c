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
	case ENOENT:
		return "ENOENT";
	case ESRCH:
		return "ESRCH";
	case EAGAIN:
		return "EAGAIN";
	case EACCES:
		return "EACCES";
	case EBUSY:
		return "EBUSY";
	case EEXIST:
		return "EEXIST";
	case ENODEV:
		return "ENODEV";
	case EINVAL:
		return "EINVAL";
	case ENOSPC:
		return "ENOSPC";
	case ERANGE:
		return "ERANGE";
	case ENAMETOOLONG:
		return "ENAMETOOLONG";
	case EOVERFLOW:
		return "EOVERFLOW";
	case EOPNOTSUPP:
		return "EOPNOTSUPP";
	}
	return "an unknown error";
}
