/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/recording_stream.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

void
recording_stream_encode(struct bytes *bytes,
			const struct recording_stream *stream)
{
	bytes_add_varint(bytes, (uint64_t)stream->device);
	bytes_add_varint(bytes, stream->period_cycles);
	for (size_t i = 0; i < stream->count; i++)
		bytes_add_varint(bytes, stream->numbers[i]);
}

int
recording_stream_decode(struct byte_reader *reader, size_t series_count,
			struct recording_stream *stream)
{
	uint64_t device = bytes_read_varint(reader);

	recording_stream_finish(stream);
	stream->numbers = calloc(series_count + 1, sizeof(*stream->numbers));
	if (!stream->numbers)
		return -ENOMEM;
	stream->count = series_count;
	stream->device = (int)device;
	stream->period_cycles = bytes_read_varint(reader);
	if (device > INT_MAX || !stream->period_cycles ||
	    stream->period_cycles > UINT32_MAX)
		return -EBADMSG;
	for (size_t i = 0; i < series_count; i++)
		stream->numbers[i] = (uint32_t)bytes_read_varint(reader);
	return reader->failed ? -EBADMSG : 0;
}

void
recording_stream_finish(struct recording_stream *stream)
{
	free(stream->numbers);
	*stream = (struct recording_stream){ 0 };
}

void
recording_machine_encode(struct bytes *bytes, const struct rgp_machine *machine)
{
	bytes_add_text(bytes, machine->cpu_vendor);
	bytes_add_text(bytes, machine->cpu_model);
	bytes_add_varint(bytes, machine->cpu_mhz);
	bytes_add_varint(bytes, machine->threads);
	bytes_add_varint(bytes, machine->cores);
	bytes_add_varint(bytes, machine->memory_mib);
	bytes_add_text(bytes, machine->generation);
	bytes_add_varint(bytes, machine->vram_bytes);
	bytes_add(bytes, machine->answer, machine->answer_size);
}

int
recording_machine_decode(struct byte_reader *reader,
			 struct rgp_machine *machine)
{
	machine->cpu_vendor = bytes_read_text(reader);
	machine->cpu_model = bytes_read_text(reader);
	machine->cpu_mhz = bytes_read_varint(reader);
	machine->threads = bytes_read_varint(reader);
	machine->cores = bytes_read_varint(reader);
	machine->memory_mib = bytes_read_varint(reader);
	machine->generation = bytes_read_text(reader);
	machine->vram_bytes = bytes_read_varint(reader);
	machine->answer = reader->at;
	machine->answer_size = (size_t)(reader->end - reader->at);
	return reader->failed ? -EBADMSG : 0;
}
