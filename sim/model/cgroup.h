/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of control groups: named directories with tasks in them, and for each what
 * every controller keeps.  What a group means to the scheduler is the controllers'.
 *
 * One tree stands for all controllers, in version 2 as in version 1 (there as if they
 * were mounted together), and each group has all of them: its parent's
 * cgroup.subtree_control is full from the first child on.
 *
 * What the kernel may refuse returns 0 or a negative errno, as there.
 */
#ifndef MODEL_CGROUP_H
#define MODEL_CGROUP_H

#include "schedsim/machine.h"

enum cgroup_version { CGROUP_V1 = 1, CGROUP_V2 = 2 };

/* In the order in which the kernel asks them.  source: linux/cgroup_subsys.h */
enum cgroup_subsys { CGROUP_CPUSET, CGROUP_CPU, NR_CGROUP_SUBSYS };

/* The longest name.  source: NAME_MAX */
#define CGROUP_NAME_MAX 255

typedef struct cgroup_tree cgroup_tree;
struct cgroup_controller;

struct cgroup {
	cgroup_tree *tree;     /* not owned */
	char *name;            /* owned; "" for the root */
	uint64_t serial_nr;    /* no other group of the tree ever had it */
	struct cgroup *parent; /* not owned; NULL for the root */
	struct list children;  /* owned, in order of their creation */
	struct list siblings;  /* in parent->children */
	struct list tasks;     /* of task.cgroup_node, in the order they came */
	unsigned nr_tasks;
	unsigned nr_tasks_below;     /* those of all descendants */
	void *css[NR_CGROUP_SUBSYS]; /* each the controller's; NULL: none of it */
};

struct cgroup_tree {
	struct machine *m; /* not owned */
	enum cgroup_version version;
	uint64_t next_serial_nr;
	const struct cgroup_controller *controllers[NR_CGROUP_SUBSYS]; /* or NULL */
	struct cgroup root;
};

/* What can be done with the tree. */
enum cgroup_operation { CGROUP_MKDIR, CGROUP_RMDIR, CGROUP_WRITE, CGROUP_ATTACH };

/*
 * A file of a controller.  One of the writers is set; a number is parsed as the kernel
 * parses it, which may give -EINVAL or -ERANGE before the writer is called.
 */
struct cgroup_file {
	const char *name; /* "cpu.weight"; NULL at the end of a table */
	enum cgroup_version version;
	bool on_root;
	int (*write)(struct cgroup *cg, const char *text);
	/* Likewise, for several files: @file is the one that is written. */
	int (*write_named)(struct cgroup *cg, const char *file, const char *text);
	int (*write_u64)(struct cgroup *cg, uint64_t value);
	int (*write_s64)(struct cgroup *cg, int64_t value);
};

struct cgroup_controller {
	const char *name;
	const struct cgroup_file *files;
	/* Fills in css of a new group, whose parent has one; the root comes first. */
	void (*online)(struct cgroup *cg);
	/* @cg goes away, without tasks or children. */
	void (*offline)(struct cgroup *cg);
	/* Whether @to takes @tasks, [nr], none of which it has; NULL: always. */
	int (*can_attach)(struct cgroup *to, struct task *const *tasks, size_t nr);
	/* It took them, but a later controller did not; NULL: nothing to take back. */
	void (*cancel_attach)(struct cgroup *to, struct task *const *tasks, size_t nr);
	/* They are in @to now. */
	void (*attach)(struct cgroup *to, struct task *const *tasks, size_t nr);
	/*
	 * An operation on a group that is there begins, before anything above is
	 * called, and ends with @result, 0 or minus an errno.  Both or neither; NULL:
	 * it keeps no account of operations.
	 */
	void (*operation_begins)(cgroup_tree *tree, enum cgroup_operation operation);
	void (*operation_ends)(cgroup_tree *tree, enum cgroup_operation operation,
			       int result);
};

/*
 * A root without tasks, for machine @m, which outlives it.  @controllers is indexed by
 * cgroup_subsys, with NULL for those that are not there; each outlives the tree.
 */
cgroup_tree *cgroup_tree_new(struct machine *m, enum cgroup_version version,
			     const struct cgroup_controller *const *controllers);
/* Takes the directories away and nothing else: no controller hears of it. */
void cgroup_tree_free(cgroup_tree *tree);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(cgroup_tree, cgroup_tree_free)

/* The group at @path, "/web/a", or NULL; "/" and "" are the root. */
struct cgroup *cgroup_find(cgroup_tree *tree, const char *path);
/* "/web/a"  (transfer full) */
char *cgroup_path(const struct cgroup *cg);

/*
 * Makes the directory @path.
 *  -ENOENT        its parent is not there
 *  -EEXIST        a group or a file of that name is
 *  -EINVAL        the name has a newline
 *  -ENAMETOOLONG  it is longer than CGROUP_NAME_MAX
 */
int cgroup_mkdir(cgroup_tree *tree, const char *path);
/* -ENOENT; -EBUSY where it has tasks or children, or is the root. */
int cgroup_rmdir(cgroup_tree *tree, const char *path);
/* -ENOENT where the group or the file is not there; what the file answers. */
int cgroup_write(cgroup_tree *tree, const char *path, const char *file,
		 const char *text);

/*
 * Moves @tasks, [nr], to @to together: as one process of them.  Those that are there
 * already stay.
 *  -ESRCH       none of them is alive
 *  -EOPNOTSUPP  v2: a group above @to has tasks of its own
 *  -EBUSY       v2: a group below @to has tasks
 * and what a controller answers.  source: cgroup_attach_task(),
 * cgroup_migrate_vet_dst()
 */
int cgroup_attach(struct cgroup *to, struct task *const *tasks, size_t nr);

/* A new task begins in @cg; the controllers take it as it is started. */
void cgroup_add_task(struct cgroup *cg, struct task *t);
/* @t died; it may be in no group. */
void cgroup_exit_task(struct task *t);

/* The controller's file @name of @version, or NULL. */
const struct cgroup_file *cgroup_file_find(const struct cgroup_controller *controller,
					   const char *name,
					   enum cgroup_version version);

/* Numbers as the kernel reads them from a file: 0x and leading 0 count, one newline at
 * the end is taken.  source: kstrtoull(), kstrtoll(), base 0 */
int cgroup_parse_u64(const char *text, uint64_t *value);
int cgroup_parse_s64(const char *text, int64_t *value);

#endif
