/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/table/t_xml.h"

#include <string.h>

#include "table/rows.h"

char t_xml_error[600];

const char t_xml_good[] = "<?xml version=\"1.0\"?>\n"
			  "<!-- where it comes from -->\n"
			  "<events driver=\"amdgpu\" generation=\"gfx9\">\n"
			  "  <block name=\"SQ\" limit=\"0x1F\" none=\"\">\n"
			  "    A  block\n"
			  "    <event id=\"4\" name=\"WAVES\">Waves\n"
			  "      started &amp; &lt;run&gt;. </event>\n"
			  "    of events.\n"
			  "    <event id=\"5\"/>\n"
			  "  </block>\n"
			  "  <metric/>\n"
			  "</events>\n";

int
t_xml_parse(const char *text, struct table **out)
{
	struct drmperf_error error = { .cause = "" };
	int err = table_parse("t.xml", text, strlen(text), out, &error);

	strcpy(t_xml_error, error.cause);
	return err;
}

int
t_xml_parse_lists(const char *text, struct table **out)
{
	struct drmperf_error error = { .cause = "" };
	int err = t_xml_parse(text, out);

	if (err)
		return err;
	err = table_expand(*out, &error);
	if (err) {
		table_destroy(*out);
		*out = NULL;
		strcpy(t_xml_error, error.cause);
	}
	return err;
}
