/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of the two GError domains.
 */
#include <schedsim/error.h>

G_DEFINE_QUARK(input_error, input_error)
G_DEFINE_QUARK(kernel_error, kernel_error)
