/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What --policy chooses: a wakeup policy and a rebuild policy, joined by +.
 */
#ifndef WORKLOAD_POLICY_CHOICE_H
#define WORKLOAD_POLICY_CHOICE_H

#include "cpuset/rebuild_policy.h"
#include "wakeup/registry.h"

typedef struct policy_choice policy_choice;

struct policy_choice {
	char *label;                   /* owned; what reports call it */
	struct policy_instance wakeup; /* owned; the first of the list unless named.
					  Its settings are those of the kernel. */
	bool has_rebuild;              /* one is named: */
	struct rebuild_policy rebuild;
};

/*
 * Reads [LABEL=]NAME[:SETTING,...][+NAME[:SETTING,...]].  Without LABEL= the label is
 * @text.  A setting of the kernel may stand with either.
 *
 * False with @out untouched and INPUT_ERROR_VALUE: an unknown name, two policies of
 * one kind, and what the two kinds' parsers refuse.
 */
bool policy_choice_parse(const char *text, struct policy_choice *out, GError **error);
void policy_choice_clear(struct policy_choice *choice);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(policy_choice, policy_choice_clear)

#endif
