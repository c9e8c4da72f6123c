/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/displays.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static bool
file_says(const char *path, const char *word)
{
	FILE *file = fopen(path, "re");
	char line[32] = "";

	if (!file)
		return false;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	line[strcspn(line, "\n")] = '\0';
	return !strcmp(line, word);
}

/* Return whether a picture goes to the connector, as Linux drm_sysfs.c says. */
static bool
is_enabled(const char *card, const char *connector)
{
	char path[PATH_MAX];
	int length =
		snprintf(path, sizeof(path), "%s/%s/enabled", card, connector);

	return length < (int)sizeof(path) && file_says(path, "enabled");
}

/* Return whether it has connectors, "card0-DP-1" */
static bool
card_has_any(const char *card, char *connector, size_t size)
{
	DIR *folder = opendir(card);
	const struct dirent *entry;
	bool any = false;

	while (folder && !any && (entry = readdir(folder))) {
		any = !strncmp(entry->d_name, "card", 4) &&
		      is_enabled(card, entry->d_name);
		if (any)
			snprintf(connector, size, "%s", entry->d_name);
	}
	if (folder)
		closedir(folder);
	return any;
}

/* By opendir(), which simulated machines see; not so glob(). */
bool
displays_any(const char *root, const char *address, char *connector,
	     size_t size)
{
	char path[PATH_MAX / 2], card[PATH_MAX];
	const struct dirent *entry;
	bool any = false;
	DIR *folder;

	snprintf(path, sizeof(path), "%s/sys/bus/pci/devices/%s/drm", root,
		 address);
	folder = opendir(path);
	while (folder && !any && (entry = readdir(folder))) {
		snprintf(card, sizeof(card), "%s/%s", path, entry->d_name);
		any = !strncmp(entry->d_name, "card", 4) &&
		      card_has_any(card, connector, size);
	}
	if (folder)
		closedir(folder);
	return any;
}
