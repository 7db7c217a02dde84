/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file without a name (O_TMPFILE) cannot be left behind, not even by SIGKILL; it
 * gets a name beside its place and is renamed from there.
 */
#define _GNU_SOURCE /* O_TMPFILE, linkat() */
#include "report/output_file.h"

#include "schedsim/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MODE 0666

struct output_file {
	char *path;   /* owned; as the user named it */
	char *target; /* owned; where it goes, links resolved; NULL: written directly */
	char *beside; /* owned; the name it has until then */
	bool has_name; /* @beside exists */
	FILE *stream;  /* owned */
};

static void set_file_error(GError **error, const char *path, int code)
{
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_FILE,
		    "%s: expected to write it: %s", path, g_strerror(code));
}

/* Whether @path exists and is nothing that a plain file could take the place of. */
static bool is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

bool same_file(const char *a, const char *b)
{
	g_autofree char *full_a = g_canonicalize_filename(a, NULL);
	g_autofree char *full_b = g_canonicalize_filename(b, NULL);
	struct stat of_a, of_b;

	if (stat(a, &of_a) || stat(b, &of_b))
		return !strcmp(full_a, full_b);
	return S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev &&
	       of_a.st_ino == of_b.st_ino;
}

static int open_beside(output_file *o)
{
	g_autofree char *folder = g_path_get_dirname(o->target);
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, FILE_MODE);

	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd;
	fd = open(o->beside, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, FILE_MODE);
	o->has_name = fd >= 0;
	return fd;
}

static char *resolve(const char *path)
{
	char *real = realpath(path, NULL); /* NULL: it does not exist yet */
	char *copy = g_strdup(real ? real : path);

	free(real);
	return copy;
}

static int open_target(output_file *o)
{
	if (is_special(o->path))
		return open(o->path, O_WRONLY | O_CLOEXEC);
	o->target = resolve(o->path);
	if (!access(o->target, F_OK) && access(o->target, W_OK))
		return -1;
	o->beside = g_strdup_printf("%s.part-%ld", o->target, (long)getpid());
	return open_beside(o);
}

output_file *output_file_open(const char *path, GError **error)
{
	g_autoptr(output_file) o = g_new0(output_file, 1);
	int fd;

	o->path = g_strdup(path);
	fd = open_target(o);
	if (fd < 0) {
		set_file_error(error, path, errno);
		return NULL;
	}
	o->stream = fdopen(fd, "w");
	g_assert(o->stream);
	return g_steal_pointer(&o);
}

FILE *output_file_stream(const output_file *o)
{
	return o->stream;
}

static bool give_name(output_file *o)
{
	g_autofree char *fd_path =
		g_strdup_printf("/proc/self/fd/%d", fileno(o->stream));

	if (!o->has_name)
		o->has_name = !linkat(AT_FDCWD, fd_path, AT_FDCWD, o->beside,
				      AT_SYMLINK_FOLLOW);
	return o->has_name;
}

static bool move_to_target(output_file *o)
{
	if (!o->target)
		return true;
	if (fsync(fileno(o->stream)) || !give_name(o) || rename(o->beside, o->target))
		return false;
	o->has_name = false;
	return true;
}

/* What could not be written earlier is gone, but another byte says why. */
static bool flush(FILE *stream)
{
	bool failed = ferror(stream);

	errno = 0;
	if (!fflush(stream) && !failed)
		return true;
	if (!errno && write(fileno(stream), "\n", 1) == 1)
		errno = EIO; /* for a while */
	return false;
}

bool output_file_commit(output_file *o, GError **error)
{
	bool ok = flush(o->stream) && move_to_target(o);
	int code = errno;

	if (fclose(g_steal_pointer(&o->stream)) && ok) {
		ok = false;
		code = errno;
	}
	if (!ok)
		set_file_error(error, o->path, code ? code : EIO);
	return ok;
}

void output_file_free(output_file *o)
{
	if (!o)
		return;
	if (o->stream)
		fclose(o->stream);
	if (o->has_name)
		unlink(o->beside);
	g_free(o->path);
	g_free(o->target);
	g_free(o->beside);
	g_free(o);
}
