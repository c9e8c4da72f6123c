/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/results/results.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"

static const char *const words[RESULT_VERDICTS] = {
	[RESULT_PASS] = "PASS", [RESULT_FAIL] = "FAIL",
	[RESULT_NO] = "NO",	[RESULT_UNKNOWN] = "UNKNOWN",
	[RESULT_HANG] = "HANG",
};

/* The line that tells what GPUs the results are of. */
#define KEY_WORD "GPU "

#define OTHERS_MAY_WRITE (S_IWGRP | S_IWOTH)

/* ------------------------------------------------------------------ */
/* Where                                                                */

int
results_folder(char *path, size_t size)
{
	const struct {
		const char *value, *behind;
	} places[] = {
		{ secure_getenv("DRMPERF_STATE"), "" },
		{ secure_getenv("XDG_STATE_HOME"), "/drmperf" },
		{ secure_getenv("HOME"), "/.local/state/drmperf" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		/* of XDG, relative ones are to be ignored */
		if (!places[i].value || !*places[i].value ||
		    (i && *places[i].value != '/'))
			continue;
		return snprintf(path, size, "%s%s", places[i].value,
				places[i].behind) < (int)size
			       ? 0
			       : -ENAMETOOLONG;
	}
	return -ENOENT;
}

/* Return whether a device is simulated: drmsim marks those that it makes up. */
static bool
is_simulated(const char *sysfs)
{
	char path[PATH_MAX];

	return *sysfs &&
	       snprintf(path, sizeof(path), "%s/drmsim", sysfs) <
		       (int)sizeof(path) &&
	       !access(path, F_OK);
}

void
results_key(char out[RESULT_KEY_SIZE], const char *sysfs, const char *format,
	    ...)
{
	char name[RESULT_KEY_SIZE - sizeof("-drmsim")];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(name, sizeof(name), format, arguments);
	va_end(arguments);
	snprintf(out, RESULT_KEY_SIZE, "%s%s", name,
		 is_simulated(sysfs) ? "-drmsim" : "");
}

int
results_path(char *path, size_t size, const char *key)
{
	char folder[PATH_MAX];
	int ret = results_folder(folder, sizeof(folder));

	if (ret)
		return ret;
	return snprintf(path, size, "%s/%s", folder, key) < (int)size
		       ? 0
		       : -ENAMETOOLONG;
}

/* Return the last part of a path. */
static const char *
file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* ------------------------------------------------------------------ */
/* Checks                                                               */

/* Find a check. A later line of the same name stands for an earlier one. */
static struct selftest_result *
find_check(const struct selftest_results *results, const char *name)
{
	for (size_t i = results->count; i--;) {
		if (!strcmp(results->checks[i].name, name))
			return &results->checks[i];
	}
	return NULL;
}

enum result
results_find(const struct selftest_results *results, const char *name)
{
	const struct selftest_result *check = find_check(results, name);

	return check ? check->verdict : RESULT_NEVER;
}

bool
results_has_failed(enum result verdict)
{
	return verdict == RESULT_FAIL || verdict == RESULT_NO ||
	       verdict == RESULT_HANG;
}

static int
add_check(struct selftest_results *results, const char *name,
	  enum result verdict)
{
	struct selftest_result *check,
		*checks = array_grow(results->checks, results->count,
				     sizeof(*checks));

	if (!checks)
		return -ENOMEM;
	results->checks = checks;
	check = &checks[results->count++];
	snprintf(check->name, sizeof(check->name), "%s", name);
	check->verdict = verdict;
	return 0;
}

int
results_set(struct selftest_results *results, const char *name,
	    enum result verdict)
{
	struct selftest_result *check = find_check(results, name);

	if (!check)
		return add_check(results, name, verdict);
	check->verdict = verdict;
	return 0;
}

void
results_finish(struct selftest_results *results)
{
	free(results->checks);
	*results = (struct selftest_results){ 0 };
}

/* ------------------------------------------------------------------ */
/* Reading the file                                                     */

static int
check_file(const struct stat *status, const char *path,
	   struct drmperf_error *error)
{
	if (!S_ISREG(status->st_mode))
		return error_set(error, -EINVAL, "%s is not a file", path);
	if (status->st_uid && status->st_uid != geteuid())
		return error_set(error, -EPERM,
				 "%s belongs to another user (%ld)", path,
				 (long)status->st_uid);
	if (status->st_mode & OTHERS_MAY_WRITE)
		return error_set(error, -EPERM, "other users may write to %s",
				 path);
	if ((size_t)status->st_size > RESULT_MAX_SIZE)
		return error_set(error, -EFBIG, "%s has more than %zu KiB",
				 path, RESULT_MAX_SIZE >> 10);
	return 0;
}

/*
 * Return a descriptor; -ENOENT: there is no file; other errors with their
 * cause.
 */
static int
open_file(const char *path, struct drmperf_error *error)
{
	struct stat status;
	int fd, ret;

	/* never waits, whatever the file turns out to be */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return -ENOENT;
	if (fd < 0)
		return error_set(error, -errno, "cannot read %s: %s", path,
				 strerrordesc_np(errno));
	if (fstat(fd, &status))
		ret = error_set(error, -errno, "cannot read %s: %s", path,
				strerrordesc_np(errno));
	else
		ret = check_file(&status, path, error);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

static int
take_line(struct selftest_results *results, const char *line)
{
	char word[16], name[RESULT_NAME_SIZE];

	if (sscanf(line, "%15s %63s", word, name) != 2)
		return 0;
	for (int i = RESULT_PASS; i < RESULT_VERDICTS; i++) {
		if (!strcmp(word, words[i]))
			return add_check(results, name, (enum result)i);
	}
	return 0;
}

/* Take the results from a text; -ESTALE if it holds for other GPUs. */
static int
take_text(struct selftest_results *results, char *text, const char *key)
{
	bool is_ours = false;
	char *next;
	int ret = 0;

	for (char *line = text; line && !ret; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!strncmp(line, KEY_WORD, strlen(KEY_WORD)))
			is_ours = !strcmp(line + strlen(KEY_WORD), key);
		else
			ret = take_line(results, line);
	}
	return ret || is_ours ? ret : -ESTALE;
}

static int
read_file(struct selftest_results *results, int fd, const char *path,
	  struct drmperf_error *error)
{
	char *text = malloc(RESULT_MAX_SIZE + 1);
	ssize_t length;
	int ret;

	if (!text)
		return error_set(error, -ENOMEM, "no memory for %s", path);
	length = file_read(fd, text, RESULT_MAX_SIZE);
	text[length > 0 ? length : 0] = '\0';
	ret = length < 0 ? (int)length
			 : take_text(results, text, file_name(path));
	free(text);
	if (ret == -ESTALE)
		return error_set(error, ret, "%s has results of other GPUs",
				 path);
	return ret ? error_set(error, ret, "cannot read %s: %s", path,
			       strerrordesc_np(-ret))
		   : 0;
}

int
results_read(struct selftest_results *results, const char *path,
	     struct drmperf_error *error)
{
	int fd, ret;

	*results = (struct selftest_results){ 0 };
	fd = open_file(path, error);
	if (fd < 0)
		return fd == -ENOENT ? 0 : fd;
	ret = read_file(results, fd, path, error);
	close(fd);
	if (ret)
		results_finish(results);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Writing it                                                           */

static int
write_results(const struct selftest_results *results, FILE *file,
	      const char *key)
{
	fputs("# What drmperf selftest has found out; drmperf obeys it.\n",
	      file);
	fprintf(file, KEY_WORD "%s\n", key);
	for (size_t i = 0; i < results->count; i++)
		fprintf(file, "%s %s\n", words[results->checks[i].verdict],
			results->checks[i].name);
	if (fflush(file) || ferror(file) || fsync(fileno(file)))
		return errno ? -errno : -EIO;
	return 0;
}

static int
check_folder(int fd, const char *path, struct drmperf_error *error)
{
	struct stat status;

	if (fstat(fd, &status))
		return error_set(error, -errno, "cannot write to %s: %s", path,
				 strerrordesc_np(errno));
	if (status.st_uid != geteuid())
		return error_set(error, -EPERM, "%s belongs to another user",
				 path);
	if (status.st_mode & OTHERS_MAY_WRITE)
		return error_set(error, -EPERM, "other users may write to %s",
				 path);
	return 0;
}

int
results_open_folder(const char *path, struct drmperf_error *error)
{
	char part[PATH_MAX];
	char *end;
	int fd, ret;

	/* without a slash: the current folder */
	if (snprintf(part, sizeof(part), "%s%s", strchr(path, '/') ? "" : "./",
		     path) >= (int)sizeof(part))
		return error_set(error, -ENAMETOOLONG, "%s is too long", path);
	folder_make(part);
	end = strrchr(part, '/');
	end[end == part] = '\0';
	fd = open(part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return error_set(error, -errno, "cannot write to %s: %s", part,
				 errno == ELOOP || errno == ENOTDIR
					 ? "it is a link, or no folder"
					 : strerrordesc_np(errno));
	ret = check_folder(fd, part, error);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

static int
write_draft(const struct selftest_results *results, int folder,
	    const char *draft, const char *key)
{
	int fd = openat(folder, draft,
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0600);
	FILE *file;
	int ret;

	if (fd < 0)
		return -errno;
	file = fdopen(fd, "w");
	if (!file) {
		ret = -errno;
		close(fd);
		return ret;
	}
	ret = write_results(results, file, key);
	return fclose(file) && !ret ? -errno : ret;
}

int
results_write(const struct selftest_results *results, const char *path,
	      struct drmperf_error *error)
{
	const char *key = file_name(path);
	char draft[NAME_MAX];
	int folder, ret;

	if (snprintf(draft, sizeof(draft), "%s.%d", key, (int)getpid()) >=
	    (int)sizeof(draft))
		return error_set(error, -ENAMETOOLONG, "%s is too long", key);
	folder = results_open_folder(path, error);
	if (folder < 0)
		return folder;
	/* of a process that had this number and was killed */
	unlinkat(folder, draft, 0);
	ret = write_draft(results, folder, draft, key);
	if (!ret && renameat(folder, draft, folder, key))
		ret = -errno;
	if (ret) {
		unlinkat(folder, draft, 0);
		error_set(error, ret, "cannot write %s: %s", path,
			  strerrordesc_np(-ret));
	}
	close(folder);
	return ret;
}
