/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of a compute shader. Their threads fit in the narrowest instruction
 * that a GPU has, so that each group is one thread, or wave, of the hardware,
 * however wide the driver compiles it.
 */
#include "selftest/gl.h"

#if SELFTEST_HAS_GL

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "selftest/checks/check.h"

/* OpenGL ES 3.1 promises that this many can be dispatched at once. */
#define GROUPS_MAX 65535

/* Factor and addend of the value that thread i stores. */
#define FACTOR UINT32_C(0x9e3779b9)
#define ADDEND UINT32_C(1)

static int
make_program(const struct gl *gl)
{
	GLuint program = gl->CreateProgram();

	_Static_assert(SELFTEST_GROUP_THREADS == 8, "as the shader has it");
	gl_add_shader(gl, program, GL_COMPUTE_SHADER,
		      "#version 310 es\n"
		      "layout(local_size_x = 8) in;\n"
		      "layout(std430, binding = 0) buffer Memory\n"
		      "{ uint memory[]; };\n"
		      "void main()\n"
		      "{ memory[gl_GlobalInvocationID.x] =\n"
		      "gl_GlobalInvocationID.x * 0x9e3779b9u + 1u; }\n");
	return gl_use_program(gl, program);
}

static size_t
bytes_of(unsigned count)
{
	return (size_t)count * SELFTEST_GROUP_THREADS * sizeof(uint32_t);
}

static int
make_memory(const struct gl *gl)
{
	void *zeros = calloc(1, bytes_of(GROUPS_MAX));
	GLuint buffer;

	if (!zeros)
		return -ENOMEM;
	gl->GenBuffers(1, &buffer);
	gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
	gl->BufferData(GL_SHADER_STORAGE_BUFFER,
		       (GLsizeiptr)bytes_of(GROUPS_MAX), zeros,
		       GL_DYNAMIC_READ);
	gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
	free(zeros);
	return 0;
}

static void
gl_dispatch(const struct gl *gl, unsigned count)
{
	gl->DispatchCompute(count, 1, 1);
	gl->MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
	gl->Finish();
}

/*
 * Run once first: work that a driver does only once, which may be computing, is
 * not to be counted.
 */
static int
groups_prepare(const struct gl *gl)
{
	int ret;

	if (!gl->computes || !gl->BindBufferBase || !gl->DispatchCompute ||
	    !gl->MemoryBarrier || !gl->MapBufferRange || !gl->UnmapBuffer)
		return -ENOTSUP;
	ret = make_program(gl);
	if (!ret)
		ret = make_memory(gl);
	if (!ret)
		gl_dispatch(gl, 1);
	return ret;
}

static bool
have_stored(const struct gl *gl, unsigned count)
{
	const uint32_t *stored;
	bool all = true;

	stored = gl->MapBufferRange(GL_SHADER_STORAGE_BUFFER, 0,
				    (GLsizeiptr)bytes_of(count),
				    GL_MAP_READ_BIT);
	if (!stored)
		return false;
	for (uint32_t i = 0; i < count * SELFTEST_GROUP_THREADS && all; i++)
		all = stored[i] == i * FACTOR + ADDEND;
	gl->UnmapBuffer(GL_SHADER_STORAGE_BUFFER);
	return all;
}

const struct gl_work groups_work = { groups_prepare, gl_dispatch, have_stored,
				     NULL };

#else

const struct gl_work groups_work = { 0 };

#endif
