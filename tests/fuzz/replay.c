/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plain driver for a fuzzer: try each file of the folders that are given, in
 * the order of their names, and print how many there were. A file that makes
 * the fuzzer end the process leaves its name as the last line.
 */
#include <assert.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Fail: libFuzzer's function for mutators, which nothing calls here. */
size_t
LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

size_t
LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
	(void)data;
	(void)size;
	(void)max_size;
	abort();
}

/* Try a file; return whether it is one. */
static bool
try_file(const char *folder, const char *name)
{
	char path[4096];
	struct stat status;
	uint8_t *data;
	FILE *file;
	size_t size;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "rbe");
	assert(file && !fstat(fileno(file), &status));
	if (!S_ISREG(status.st_mode)) {
		fclose(file);
		return false;
	}
	fprintf(stderr, "%s\n", path);
	size = (size_t)status.st_size;
	data = malloc(size + !size);
	assert(data && fread(data, 1, size, file) == size);
	fclose(file);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return true;
}

int
main(int argc, char **argv)
{
	size_t tried = 0;

	for (int i = 1; i < argc; i++) {
		struct dirent **entries;
		int count = scandir(argv[i], &entries, NULL, alphasort);

		assert(count > 0);
		for (int k = 0; k < count; k++) {
			tried += try_file(argv[i], entries[k]->d_name);
			free(entries[k]);
		}
		free(entries);
	}
	printf("%s %zu seeds\n", tried ? "ok" : "not ok", tried);
	return tried ? EXIT_SUCCESS : EXIT_FAILURE;
}
