/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/tested/tested.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

static const char *const words[TESTED_VERDICTS] = {
	[TESTED_PASS] = "PASS",
	[TESTED_FAIL] = "FAIL",
	[TESTED_UNKNOWN] = "UNKNOWN",
	[TESTED_HANG] = "HANG",
};

/* ------------------------------------------------------------------ */
/* Where                                                                */

int
tested_folder(char *path, size_t size)
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

int
tested_path(char *path, size_t size, const char *kind, ...)
{
	char folder[PATH_MAX], name[64];
	int ret = tested_folder(folder, sizeof(folder));
	va_list arguments;

	if (ret)
		return ret;
	va_start(arguments, kind);
	vsnprintf(name, sizeof(name), kind, arguments);
	va_end(arguments);
	return snprintf(path, size, "%s/%s", folder, name) < (int)size
		       ? 0
		       : -ENAMETOOLONG;
}

/* ------------------------------------------------------------------ */
/* The file                                                             */

static struct tested_claim *
find(const struct tested *tested, const char *name)
{
	for (size_t i = 0; i < tested->count; i++) {
		if (!strcmp(tested->claims[i].name, name))
			return &tested->claims[i];
	}
	return NULL;
}

enum tested_verdict
tested_verdict(const struct tested *tested, const char *name)
{
	const struct tested_claim *claim = find(tested, name);

	return claim ? claim->verdict : TESTED_NEVER;
}

int
tested_set(struct tested *tested, const char *name, enum tested_verdict verdict)
{
	struct tested_claim *claim = find(tested, name), *claims;

	if (!claim) {
		claims = reallocarray(tested->claims, tested->count + 1,
				      sizeof(*claims));
		if (!claims)
			return -ENOMEM;
		tested->claims = claims;
		claim = &claims[tested->count++];
		snprintf(claim->name, sizeof(claim->name), "%s", name);
	}
	claim->verdict = verdict;
	return 0;
}

static int
take_line(struct tested *tested, const char *line)
{
	char word[16], name[TESTED_NAME_SIZE];

	if (sscanf(line, "%15s %63s", word, name) != 2)
		return 0;
	for (int i = TESTED_PASS; i < TESTED_VERDICTS; i++) {
		if (!strcmp(word, words[i]))
			return tested_set(tested, name, (enum tested_verdict)i);
	}
	return 0;
}

int
tested_read(struct tested *tested, const char *path)
{
	FILE *file = fopen(path, "re");
	char line[256];
	int ret = 0;

	*tested = (struct tested){ 0 };
	if (!file)
		return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
	while (!ret && fgets(line, sizeof(line), file))
		ret = take_line(tested, line);
	if (!ret && ferror(file))
		ret = -EIO;
	fclose(file);
	if (ret)
		tested_finish(tested);
	return ret;
}

void
tested_finish(struct tested *tested)
{
	free(tested->claims);
	*tested = (struct tested){ 0 };
}

static int
write_all(const struct tested *tested, FILE *file)
{
	fputs("# What drmperf selftest has found out; drmperf obeys it.\n",
	      file);
	for (size_t i = 0; i < tested->count; i++)
		fprintf(file, "%s %s\n", words[tested->claims[i].verdict],
			tested->claims[i].name);
	if (fflush(file) || ferror(file) || fsync(fileno(file)))
		return errno ? -errno : -EIO;
	return 0;
}

/* Every folder on the way to the file. */
static void
make_folders(const char *path)
{
	char part[PATH_MAX];

	if (snprintf(part, sizeof(part), "%s", path) >= (int)sizeof(part))
		return;
	for (char *at = part + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(part, 0700);
		*at = '/';
	}
}

int
tested_write(const struct tested *tested, const char *path)
{
	char fresh[PATH_MAX];
	FILE *file;
	int ret;

	if (snprintf(fresh, sizeof(fresh), "%s.%d", path, (int)getpid()) >=
	    (int)sizeof(fresh))
		return -ENAMETOOLONG;
	make_folders(path);
	file = fopen(fresh, "we");
	if (!file)
		return -errno;
	ret = write_all(tested, file);
	fclose(file);
	if (!ret && rename(fresh, path))
		ret = -errno;
	if (ret)
		unlink(fresh);
	return ret;
}
