/* SPDX-License-Identifier: BSD-3-Clause */
#include "kern_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int output = -1;

bool
kern_output_open(const char *path)
{
	output = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	return output >= 0;
}

void
kern_output_close(void)
{
	if (output >= 0)
		close(output);
	output = -1;
}

FILE *
kern_output_begin(struct kern_line *line, const char *word)
{
	line->stream = open_memstream(&line->text, &line->size);
	if (line->stream)
		fputs(word, line->stream);
	return line->stream;
}

void
kern_output_text(FILE *stream, const char *text, size_t length)
{
	fputc('\t', stream);
	for (size_t i = 0; i < length; i++)
		fputc((unsigned char)text[i] < ' ' ? '?' : text[i], stream);
}

void
kern_output_end(struct kern_line *line)
{
	ssize_t written = 0;

	fputc('\n', line->stream);
	if (fclose(line->stream)) {
		free(line->text);
		return;
	}
	/* a line that does not fit the disk is left out, or is cut */
	do
		written = write(output, line->text, line->size);
	while (written < 0 && errno == EINTR);
	free(line->text);
}
