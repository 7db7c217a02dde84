/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Directories, files and tasks of control groups.
 *
 * source: kernel/cgroup/cgroup.c, 6.1
 */
#include "model/cgroup.h"

#include <errno.h>
#include <string.h>

static const struct cgroup_controller *controller_of(const cgroup_tree *tree, int i)
{
	return tree->controllers[i];
}

static void operation_begins(cgroup_tree *tree, enum cgroup_operation operation)
{
	for (int i = 0; i < NR_CGROUP_SUBSYS; i++)
		if (controller_of(tree, i) && controller_of(tree, i)->operation_begins)
			controller_of(tree, i)->operation_begins(tree, operation);
}

/* Always @result. */
static int operation_ends(cgroup_tree *tree, enum cgroup_operation operation,
			  int result)
{
	for (int i = NR_CGROUP_SUBSYS - 1; i >= 0; i--)
		if (controller_of(tree, i) && controller_of(tree, i)->operation_ends)
			controller_of(tree, i)->operation_ends(tree, operation, result);
	return result;
}

static void init_cgroup(cgroup_tree *tree, struct cgroup *cg, struct cgroup *parent)
{
	cg->tree = tree;
	cg->serial_nr = tree->next_serial_nr++;
	cg->parent = parent;
	list_init(&cg->children);
	list_init(&cg->siblings);
	list_init(&cg->tasks);
	if (parent)
		list_add_tail(&parent->children, &cg->siblings);
	for (int i = 0; i < NR_CGROUP_SUBSYS; i++)
		if (controller_of(tree, i))
			controller_of(tree, i)->online(cg);
}

cgroup_tree *cgroup_tree_new(struct machine *m, enum cgroup_version version,
			     const struct cgroup_controller *const *controllers)
{
	cgroup_tree *tree = g_new0(cgroup_tree, 1);

	tree->m = m;
	tree->version = version;
	memcpy(tree->controllers, controllers, sizeof(tree->controllers));
	tree->root.name = g_strdup("");
	init_cgroup(tree, &tree->root, NULL);
	return tree;
}

static struct cgroup *child_at(struct list *pos)
{
	return list_entry(pos, struct cgroup, siblings);
}

static void free_children(struct cgroup *cg)
{
	while (!list_empty(&cg->children)) {
		struct cgroup *child = child_at(cg->children.next);

		list_del(&child->siblings);
		free_children(child);
		g_free(child->name);
		g_free(child);
	}
}

void cgroup_tree_free(cgroup_tree *tree)
{
	if (!tree)
		return;
	free_children(&tree->root);
	g_free(tree->root.name);
	g_free(tree);
}

static struct cgroup *find_child(const struct cgroup *cg, const char *name,
				 size_t length)
{
	struct list *pos;

	for (pos = cg->children.next; pos != &cg->children; pos = pos->next) {
		struct cgroup *child = child_at(pos);

		if (!strncmp(child->name, name, length) && !child->name[length])
			return child;
	}
	return NULL;
}

/* The group at the first @length bytes of @path. */
static struct cgroup *find_prefix(cgroup_tree *tree, const char *path, size_t length)
{
	struct cgroup *cg = &tree->root;
	const char *end = path + length;

	while (cg && path < end) {
		const char *slash = memchr(path, '/', (size_t)(end - path));
		const char *name_end = slash ? slash : end;

		if (name_end > path)
			cg = find_child(cg, path, (size_t)(name_end - path));
		path = slash ? slash + 1 : end;
	}
	return cg;
}

struct cgroup *cgroup_find(cgroup_tree *tree, const char *path)
{
	return find_prefix(tree, path, strlen(path));
}

char *cgroup_path(const struct cgroup *cg)
{
	GString *path = g_string_new(cg->parent ? NULL : "/");

	for (; cg->parent; cg = cg->parent) {
		g_string_prepend(path, cg->name);
		g_string_prepend_c(path, '/');
	}
	return g_string_free(path, FALSE);
}

const struct cgroup_file *cgroup_file_find(const struct cgroup_controller *controller,
					   const char *name,
					   enum cgroup_version version)
{
	for (const struct cgroup_file *f = controller->files; f->name; f++)
		if (f->version == version && !strcmp(f->name, name))
			return f;
	return NULL;
}

/* The file @name of @cg, or NULL. */
static const struct cgroup_file *find_file(const struct cgroup *cg, const char *name)
{
	const struct cgroup_file *file = NULL;

	for (int i = 0; !file && i < NR_CGROUP_SUBSYS; i++)
		if (controller_of(cg->tree, i))
			file = cgroup_file_find(controller_of(cg->tree, i), name,
						cg->tree->version);
	return file && (cg->parent || file->on_root) ? file : NULL;
}

/*
 * Files that a group has without any controller; none can be written to here.
 * source: cgroup_base_files[], cgroup1_base_files[]
 */
static const struct base_file {
	const char *name;
	enum cgroup_version version;
	bool on_root, elsewhere;
} base_files[] = {
	{"cgroup.type", CGROUP_V2, false, true},
	{"cgroup.procs", CGROUP_V2, true, true},
	{"cgroup.threads", CGROUP_V2, true, true},
	{"cgroup.controllers", CGROUP_V2, true, true},
	{"cgroup.subtree_control", CGROUP_V2, true, true},
	{"cgroup.events", CGROUP_V2, false, true},
	{"cgroup.max.descendants", CGROUP_V2, true, true},
	{"cgroup.max.depth", CGROUP_V2, true, true},
	{"cgroup.stat", CGROUP_V2, true, true},
	{"cgroup.freeze", CGROUP_V2, false, true},
	{"cgroup.kill", CGROUP_V2, false, true},
	{"cpu.stat", CGROUP_V2, true, true},
	{"cgroup.procs", CGROUP_V1, true, true},
	{"cgroup.clone_children", CGROUP_V1, true, true},
	{"cgroup.sane_behavior", CGROUP_V1, true, false},
	{"tasks", CGROUP_V1, true, true},
	{"notify_on_release", CGROUP_V1, true, true},
	{"release_agent", CGROUP_V1, true, false},
};

static bool is_base_file(const struct cgroup *cg, const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(base_files); i++) {
		const struct base_file *file = &base_files[i];

		if (file->version == cg->tree->version && !strcmp(file->name, name))
			return cg->parent ? file->elsewhere : file->on_root;
	}
	return false;
}

static int check_name(const struct cgroup *parent, const char *name)
{
	if (!strcmp(name, ".") || !strcmp(name, "..") ||
	    find_child(parent, name, strlen(name)) || find_file(parent, name) ||
	    is_base_file(parent, name))
		return -EEXIST;
	if (strlen(name) > CGROUP_NAME_MAX)
		return -ENAMETOOLONG;
	return strchr(name, '\n') ? -EINVAL : 0;
}

static int make_child(struct cgroup *parent, const char *name)
{
	struct cgroup *cg;
	int result = check_name(parent, name);

	if (result)
		return result;
	cg = g_new0(struct cgroup, 1);
	cg->name = g_strdup(name);
	init_cgroup(parent->tree, cg, parent);
	return 0;
}

int cgroup_mkdir(cgroup_tree *tree, const char *path)
{
	size_t length = strlen(path), parent_length;
	g_autofree char *name = NULL;
	struct cgroup *parent;

	while (length && path[length - 1] == '/')
		length--;
	if (!length)
		return -EEXIST;
	parent_length = length;
	while (parent_length && path[parent_length - 1] != '/')
		parent_length--;
	parent = find_prefix(tree, path, parent_length);
	if (!parent)
		return -ENOENT;
	name = g_strndup(path + parent_length, length - parent_length);
	operation_begins(tree, CGROUP_MKDIR);
	return operation_ends(tree, CGROUP_MKDIR, make_child(parent, name));
}

static int remove_group(struct cgroup *cg)
{
	if (!cg->parent || cg->nr_tasks || !list_empty(&cg->children))
		return -EBUSY;
	for (int i = 0; i < NR_CGROUP_SUBSYS; i++)
		if (controller_of(cg->tree, i))
			controller_of(cg->tree, i)->offline(cg);
	list_del(&cg->siblings);
	g_free(cg->name);
	g_free(cg);
	return 0;
}

int cgroup_rmdir(cgroup_tree *tree, const char *path)
{
	struct cgroup *cg = cgroup_find(tree, path);

	if (!cg)
		return -ENOENT;
	operation_begins(tree, CGROUP_RMDIR);
	return operation_ends(tree, CGROUP_RMDIR, remove_group(cg));
}

/* source: cgroup_file_write() */
static int write_file(struct cgroup *cg, const struct cgroup_file *file,
		      const char *text)
{
	uint64_t u64;
	int64_t s64;
	int result;

	if (file->write)
		return file->write(cg, text);
	if (file->write_named)
		return file->write_named(cg, file->name, text);
	if (file->write_u64) {
		result = cgroup_parse_u64(text, &u64);
		return result ? result : file->write_u64(cg, u64);
	}
	result = cgroup_parse_s64(text, &s64);
	return result ? result : file->write_s64(cg, s64);
}

int cgroup_write(cgroup_tree *tree, const char *path, const char *file,
		 const char *text)
{
	struct cgroup *cg = cgroup_find(tree, path);
	const struct cgroup_file *found = cg ? find_file(cg, file) : NULL;

	if (!found)
		return -ENOENT;
	operation_begins(tree, CGROUP_WRITE);
	/* Nothing written is nothing done. */
	return operation_ends(tree, CGROUP_WRITE,
			      *text ? write_file(cg, found, text) : 0);
}

static void count_above(const struct cgroup *cg, int by)
{
	for (struct cgroup *up = cg->parent; up; up = up->parent)
		up->nr_tasks_below += (unsigned)by;
}

void cgroup_add_task(struct cgroup *cg, struct task *t)
{
	t->cgroup = cg;
	list_add_tail(&cg->tasks, &t->cgroup_node);
	cg->nr_tasks++;
	count_above(cg, 1);
}

void cgroup_exit_task(struct task *t)
{
	struct cgroup *cg = t->cgroup;

	if (!cg)
		return;
	t->cgroup = NULL;
	list_del(&t->cgroup_node);
	cg->nr_tasks--;
	count_above(cg, -1);
}

/*
 * In version 2 tasks live in leaves: neither above nor below others.  The root may have
 * tasks beside its children.
 */
static int vet_destination(const struct cgroup *to)
{
	if (to->tree->version == CGROUP_V1 || !to->parent)
		return 0;
	for (const struct cgroup *up = to->parent; up->parent; up = up->parent)
		if (up->nr_tasks)
			return -EOPNOTSUPP;
	return to->nr_tasks_below ? -EBUSY : 0;
}

/* Those of @tasks that are alive and elsewhere; -ESRCH where none is alive. */
static int collect(const struct cgroup *to, struct task *const *tasks, size_t nr,
		   GPtrArray *coming)
{
	bool any = false;

	for (size_t i = 0; i < nr; i++) {
		any |= tasks[i]->cgroup != NULL;
		if (tasks[i]->cgroup && tasks[i]->cgroup != to)
			g_ptr_array_add(coming, tasks[i]);
	}
	return any ? 0 : -ESRCH;
}

/* The first @nr controllers took @coming in vain. */
static void cancel_controllers(struct cgroup *to, const GPtrArray *coming, int nr)
{
	for (int i = 0; i < nr; i++) {
		const struct cgroup_controller *c = controller_of(to->tree, i);

		if (c && c->cancel_attach)
			c->cancel_attach(to, (struct task *const *)coming->pdata,
					 coming->len);
	}
}

static int ask_controllers(struct cgroup *to, const GPtrArray *coming)
{
	for (int i = 0; i < NR_CGROUP_SUBSYS; i++) {
		const struct cgroup_controller *c = controller_of(to->tree, i);
		int result = 0;

		if (c && c->can_attach)
			result = c->can_attach(to, (struct task *const *)coming->pdata,
					       coming->len);
		if (result) {
			cancel_controllers(to, coming, i);
			return result;
		}
	}
	return 0;
}

static void move(struct cgroup *to, const GPtrArray *coming)
{
	for (guint i = 0; i < coming->len; i++) {
		cgroup_exit_task(coming->pdata[i]);
		cgroup_add_task(to, coming->pdata[i]);
	}
	for (int i = 0; i < NR_CGROUP_SUBSYS; i++)
		if (controller_of(to->tree, i))
			controller_of(to->tree, i)
				->attach(to, (struct task *const *)coming->pdata,
					 coming->len);
}

/* source: cgroup_attach_task() */
static int attach(struct cgroup *to, struct task *const *tasks, size_t nr)
{
	g_autoptr(GPtrArray) coming = g_ptr_array_new();
	int result = collect(to, tasks, nr, coming);

	if (!result)
		result = vet_destination(to);
	if (!result && coming->len)
		result = ask_controllers(to, coming);
	if (!result && coming->len)
		move(to, coming);
	return result;
}

int cgroup_attach(struct cgroup *to, struct task *const *tasks, size_t nr)
{
	operation_begins(to->tree, CGROUP_ATTACH);
	return operation_ends(to->tree, CGROUP_ATTACH, attach(to, tasks, nr));
}
