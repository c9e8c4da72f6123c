/* SPDX-License-Identifier: BSD-3-Clause */
/* Full-screen quads. */
#include "selftest/gl.h"

#if SELFTEST_HAS_GL

#include <errno.h>
#include <string.h>

#include "selftest/checks/check.h"

static int
make_program(const struct gl *gl)
{
	GLuint program = gl->CreateProgram();

	gl_add_shader(gl, program, GL_VERTEX_SHADER,
		      "attribute vec2 corner;\n"
		      "void main()\n"
		      "{ gl_Position = vec4(corner, 0.0, 1.0); }\n");
	gl_add_shader(gl, program, GL_FRAGMENT_SHADER,
		      "void main()\n"
		      "{ gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }\n");
	gl->BindAttribLocation(program, 0, "corner");
	return gl_use_program(gl, program);
}

/*
 * Make the target of one triangle that reaches over the whole quad: where two
 * meet, blocks of pixels would be drawn, and may be counted, for either.
 */
static int
make_target(const struct gl *gl)
{
	static const GLfloat corners[] = { -1, -1, 3, -1, -1, 3 };
	const GLsizei side = SELFTEST_QUAD_SIDE;
	GLuint texture, framebuffer;

	gl->GenTextures(1, &texture);
	gl->BindTexture(GL_TEXTURE_2D, texture);
	gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, side, side, 0, GL_RGBA,
		       GL_UNSIGNED_BYTE, NULL);
	gl->GenFramebuffers(1, &framebuffer);
	gl->BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
				 GL_TEXTURE_2D, texture, 0);
	if (gl->CheckFramebufferStatus(GL_FRAMEBUFFER) !=
	    GL_FRAMEBUFFER_COMPLETE)
		return -ENOTSUP;
	gl->Disable(GL_BLEND);
	gl->Disable(GL_DITHER);
	gl->Disable(GL_CULL_FACE);
	gl->VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
	gl->EnableVertexAttribArray(0);
	return 0;
}

static void
gl_draw_quads(const struct gl *gl, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		gl->DrawArrays(GL_TRIANGLES, 0, 3);
	gl->Finish();
}

/*
 * Draw once first: work that a driver does only once, which may be drawing, is
 * not to be counted.
 */
static int
quads_prepare(const struct gl *gl)
{
	int ret = make_program(gl);

	if (!ret)
		ret = make_target(gl);
	if (ret)
		return ret;
	gl->Viewport(0, 0, 1, 1);
	gl_draw_quads(gl, 1);
	gl->Viewport(0, 0, SELFTEST_QUAD_SIDE, SELFTEST_QUAD_SIDE);
	return 0;
}

/* Return whether the last of the quads is there, which covers all others. */
static bool
are_there(const struct gl *gl, unsigned count)
{
	static const GLint at[] = { 0, SELFTEST_QUAD_SIDE / 2,
				    SELFTEST_QUAD_SIDE - 1 };
	static const GLubyte green[4] = { 0, 255, 0, 255 };
	GLubyte pixel[4];

	(void)count;
	for (int i = 0; i < 9; i++) {
		memset(pixel, 0, sizeof(pixel));
		gl->ReadPixels(at[i % 3], at[i / 3], 1, 1, GL_RGBA,
			       GL_UNSIGNED_BYTE, pixel);
		if (memcmp(pixel, green, sizeof(green)))
			return false;
	}
	return true;
}

static void
gl_clear(const struct gl *gl)
{
	gl->ClearColor(0, 0, 0, 0);
	gl->Clear(GL_COLOR_BUFFER_BIT);
}

const struct gl_work quads_work = { quads_prepare, gl_draw_quads, are_there,
				    gl_clear };

#else

const struct gl_work quads_work = { 0 };

#endif
