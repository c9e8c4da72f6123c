/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/stalls.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/disassembly.h"
#include "report/outputs.h"
#include "report/page.h"
#include "util/format_number.h"

/* Addresses that are no further apart are taken for those of one program. */
#define RANGE_GAP 4096

#define LABEL_SIZE 320

/* Samples at one address. */
struct stalled {
	uint64_t address;
	const uint64_t *samples; /* by reason */
	uint64_t sum;
	size_t kernel; /* its place among those */
	uint64_t offset; /* in a kernel that has a name */
};

/* A kernel with a name, or a range of addresses that has none. */
struct stalled_kernel {
	const struct kernel_name *name; /* or NULL */
	uint64_t first, last; /* addresses of instructions */
	size_t instructions;
	uint64_t *samples; /* by reason */
	uint64_t sum;
	struct disassembly disassembly; /* of one that has a name */
};

/* One device, made ready to be written; the most samples come first. */
struct stall_view {
	const struct recording_profile *profile;
	struct stalled *list;
	size_t count;
	struct stalled_kernel *kernels;
	size_t kernel_count;
	uint64_t *kernel_samples; /* of all kernels */
	uint64_t *samples; /* by reason */
	uint64_t sum;
};

/* ------------------------------------------------------------------ */
/* Samples by address                                                   */

static unsigned
count_reasons(const struct stall_view *view)
{
	return view->profile->sampling.reason_count;
}

static const struct drmperf_sample_reason *
reason_at(const struct stall_view *view, unsigned reason)
{
	return &view->profile->sampling.reasons[reason];
}

static int
compare_addresses(const void *a, const void *b)
{
	const struct stalled *one = a, *other = b;

	return one->address < other->address ? -1
	       : one->address > other->address;
}

static int
compare_samples(const void *a, const void *b)
{
	const struct stalled *one = a, *other = b;

	if (one->sum != other->sum)
		return one->sum > other->sum ? -1 : 1;
	return compare_addresses(a, b);
}

/* Find the kernel of an address; addresses come in their order. */
static struct stalled_kernel *
find_kernel(struct stall_view *view, const struct kernel_name *name,
	    uint64_t address)
{
	for (size_t i = view->kernel_count; name && i; i--) {
		if (view->kernels[i - 1].name == name)
			return &view->kernels[i - 1];
	}
	if (!name && view->kernel_count) {
		struct stalled_kernel *last =
			&view->kernels[view->kernel_count - 1];

		if (!last->name && address - last->last <= RANGE_GAP)
			return last;
	}
	view->kernels[view->kernel_count] = (struct stalled_kernel){
		.name = name,
		.first = address,
		.samples = &view->kernel_samples[view->kernel_count *
						 count_reasons(view)],
	};
	return &view->kernels[view->kernel_count++];
}

static void
add_to_kernel(struct stall_view *view, const struct kernel_names *names,
	      struct stalled *stalled)
{
	const unsigned bits = view->profile->sampling.address_bits;
	const struct kernel_name *name = kernel_names_find(
		names, stalled->address, bits, &stalled->offset);
	struct stalled_kernel *kernel =
		find_kernel(view, name, stalled->address);

	stalled->kernel = (size_t)(kernel - view->kernels);
	kernel->last = stalled->address;
	kernel->instructions++;
	kernel->sum += stalled->sum;
	view->sum += stalled->sum;
	for (unsigned i = 0; i < count_reasons(view); i++) {
		kernel->samples[i] += stalled->samples[i];
		view->samples[i] += stalled->samples[i];
	}
}

static void
finish_view(struct stall_view *view)
{
	for (size_t i = 0; i < view->kernel_count; i++)
		disassembly_finish(&view->kernels[i].disassembly);
	free(view->list);
	free(view->kernels);
	free(view->kernel_samples);
	free(view->samples);
}

static int
allocate_view(struct stall_view *view)
{
	const size_t count = view->count + 1, reasons = count_reasons(view);

	view->list = calloc(count, sizeof(*view->list));
	view->kernels = calloc(count, sizeof(*view->kernels));
	view->kernel_samples =
		calloc(count, reasons * sizeof(*view->kernel_samples));
	view->samples = calloc(reasons, sizeof(*view->samples));
	return view->list && view->kernels && view->kernel_samples &&
			       view->samples
		       ? 0
		       : -ENOMEM;
}

static int
make_view(const struct recording_profile *profile,
	  const struct kernel_names *names, struct stall_view *view)
{
	const struct stall_table *table = &profile->table;

	*view = (struct stall_view){ .profile = profile,
				     .count = table->count };
	if (allocate_view(view))
		return -ENOMEM;
	for (size_t i = 0; i < table->count; i++) {
		struct stalled *stalled = &view->list[i];

		stalled->address = table->addresses[i];
		stalled->samples = stall_table_samples(table, i);
		for (unsigned k = 0; k < table->reason_count; k++)
			stalled->sum += stalled->samples[k];
	}
	qsort(view->list, view->count, sizeof(*view->list), compare_addresses);
	for (size_t i = 0; i < view->count; i++)
		add_to_kernel(view, names, &view->list[i]);
	qsort(view->list, view->count, sizeof(*view->list), compare_samples);
	return 0;
}

/* Write "matmul", or "0x10000 to 0x10040" of what has no name. */
static const char *
kernel_label(const struct stalled_kernel *kernel, char text[LABEL_SIZE])
{
	if (kernel->name)
		snprintf(text, LABEL_SIZE, "%s", kernel->name->name);
	else if (kernel->first == kernel->last)
		snprintf(text, LABEL_SIZE, "0x%" PRIx64, kernel->first);
	else
		snprintf(text, LABEL_SIZE, "0x%" PRIx64 " to 0x%" PRIx64,
			 kernel->first, kernel->last);
	return text;
}

/* ------------------------------------------------------------------ */
/* A table                                                              */

static double
share_percentage(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void
print_count(uint64_t samples, uint64_t sum, FILE *out)
{
	char text[FORMAT_NUMBER_SIZE];

	format_count(samples, text);
	fprintf(out, "%7.1f %% %15s", share_percentage(samples, sum), text);
}

/*
 * Return the reason with the most samples that has not been printed; or count.
 */
static unsigned
next_reason(const struct stall_view *view, const uint64_t *samples,
	    uint64_t printed)
{
	const unsigned count = count_reasons(view);
	unsigned best = count;

	for (unsigned i = 0; i < count; i++) {
		if (!samples[i] || printed >> i & 1)
			continue;
		if (best == count || samples[i] > samples[best])
			best = i;
	}
	return best;
}

static void
print_reasons(const struct stall_view *view, FILE *out)
{
	const unsigned count = count_reasons(view);
	uint64_t printed = 0;
	unsigned reason;

	fprintf(out, "\n%9s %15s  %s\n", "share", "samples", "reason");
	while ((reason = next_reason(view, view->samples, printed)) < count) {
		print_count(view->samples[reason], view->sum, out);
		fprintf(out, "  %s: %s\n", reason_at(view, reason)->name,
			reason_at(view, reason)->description);
		printed |= UINT64_C(1) << reason;
	}
}

/* Print "10.0 %  matmul+0x40  scoreboard 80.0 %": issued, and why not. */
static void
print_row(const struct stall_view *view, const uint64_t *samples, uint64_t sum,
	  const char *label, int width, FILE *out)
{
	const unsigned count = count_reasons(view);
	uint64_t issued = 0, printed = 0;
	const char *before = "  ";
	unsigned reason;

	for (unsigned i = 0; i < count; i++) {
		if (!reason_at(view, i)->issued)
			continue;
		issued += samples[i];
		printed |= UINT64_C(1) << i;
	}
	print_count(sum, view->sum, out);
	fprintf(out, " %6.1f %%  %-*s", share_percentage(issued, sum),
		issued < sum ? width : 0, label);
	while ((reason = next_reason(view, samples, printed)) < count) {
		fprintf(out, "%s%s %.1f %%", before,
			reason_at(view, reason)->name,
			share_percentage(samples[reason], sum));
		printed |= UINT64_C(1) << reason;
		before = ", ";
	}
	fputc('\n', out);
}

static int
compare_kernels(const void *a, const void *b)
{
	const struct stalled_kernel *const *one = a, *const *other = b;

	if ((*one)->sum != (*other)->sum)
		return (*one)->sum > (*other)->sum ? -1 : 1;
	return (*one)->first < (*other)->first ? -1 : 1;
}

/* Longer names push what follows to the right. */
#define LABEL_WIDTH_MAX 40

static int
column_widen(int width, const char *label)
{
	const int length = (int)strlen(label);

	if (length > LABEL_WIDTH_MAX)
		return LABEL_WIDTH_MAX;
	return length > width ? length : width;
}

static void
print_head(const char *what, int width, FILE *out)
{
	fprintf(out, "\n%9s %15s %8s  %-*s  %s\n", "share", "samples",
		"issued", width, what, "not issued for");
}

static void
print_sorted_kernels(const struct stall_view *view,
		     const struct stalled_kernel *const *order, FILE *out)
{
	int width = (int)strlen("kernel");
	char label[LABEL_SIZE];

	for (size_t i = 0; i < view->kernel_count; i++)
		width = column_widen(width, kernel_label(order[i], label));
	print_head("kernel", width, out);
	for (size_t i = 0; i < view->kernel_count; i++)
		print_row(view, order[i]->samples, order[i]->sum,
			  kernel_label(order[i], label), width, out);
}

/*
 * Sort the kernels, those with the most samples first. Returns NULL without
 * memory.
 */
static const struct stalled_kernel **
sort_kernels(const struct stall_view *view)
{
	const struct stalled_kernel **order =
		calloc(view->kernel_count + 1, sizeof(*order));

	if (!order)
		return NULL;
	for (size_t i = 0; i < view->kernel_count; i++)
		order[i] = &view->kernels[i];
	qsort(order, view->kernel_count, sizeof(*order), compare_kernels);
	return order;
}

static int
print_kernels(const struct stall_view *view, FILE *out)
{
	const struct stalled_kernel **order = sort_kernels(view);

	if (!order)
		return -ENOMEM;
	print_sorted_kernels(view, order, out);
	free(order);
	return 0;
}

/* Write "matmul+0x40", or "0x10010". */
static const char *
instruction_label(const struct stall_view *view, const struct stalled *stalled,
		  char text[LABEL_SIZE])
{
	const struct stalled_kernel *kernel = &view->kernels[stalled->kernel];

	if (kernel->name)
		snprintf(text, LABEL_SIZE, "%s+0x%" PRIx64, kernel->name->name,
			 stalled->offset);
	else
		snprintf(text, LABEL_SIZE, "0x%" PRIx64, stalled->address);
	return text;
}

static void
disassemble_kernels(const struct stall_view *view)
{
	for (size_t i = 0; i < view->kernel_count; i++) {
		struct stalled_kernel *kernel = &view->kernels[i];

		if (kernel->name && kernel->name->code)
			disassembly_make(view->profile->sampling.chip,
					 kernel->name->code, kernel->name->size,
					 &kernel->disassembly);
	}
}

/* Write "add (16|M0) r3.0<1>:f ..."; NULL: it is not known. */
static const char *
instruction_text(const struct stall_view *view, const struct stalled *stalled,
		 char text[DISASSEMBLY_TEXT_SIZE])
{
	return disassembly_find(&view->kernels[stalled->kernel].disassembly,
				stalled->offset, text);
}

static void
print_instructions(const struct stall_view *view, FILE *out)
{
	int width = (int)strlen("instruction");
	char label[LABEL_SIZE];

	for (size_t i = 0; i < view->count; i++)
		width = column_widen(
			width, instruction_label(view, &view->list[i], label));
	print_head("instruction", width, out);
	for (size_t i = 0; i < view->count; i++) {
		const struct stalled *stalled = &view->list[i];
		char text[DISASSEMBLY_TEXT_SIZE];

		print_row(view, stalled->samples, stalled->sum,
			  instruction_label(view, stalled, label), width, out);
		if (instruction_text(view, stalled, text))
			fprintf(out, "%36s%s\n", "", text);
	}
}

/* Name the ranges of addresses that no file of symbols has. */
static void
print_unnamed(const struct stall_view *view, FILE *out)
{
	const char *before = "\n no kernel is known at ";
	char label[LABEL_SIZE];
	uint64_t sum = 0;

	for (size_t i = 0; i < view->kernel_count; i++) {
		const struct stalled_kernel *kernel = &view->kernels[i];

		if (kernel->name)
			continue;
		fprintf(out, "%s%s", before, kernel_label(kernel, label));
		sum += kernel->sum;
		before = ", ";
	}
	if (*before == ',')
		fprintf(out, ": %.1f %% of the samples (--symbols)\n",
			share_percentage(sum, view->sum));
}

static void
print_title(const struct recording *recording, const struct stall_view *view,
	    FILE *out)
{
	const struct recording_sampling *sampling = &view->profile->sampling;
	char count[FORMAT_NUMBER_SIZE];

	format_count(view->sum, count);
	fputs("\n EU stalls", out);
	if (recording->command[0]) {
		fputs(" while this ran: ", out);
		report_print_command(recording, out);
	}
	fprintf(out, "\n %s samples%s, one every %" PRIu64 " GPU clocks\n",
		count, sampling->of_all_programs ? " of all programs" : "",
		sampling->period_cycles);
	fprintf(out, " GPU %d: %s at %s\n", sampling->device, sampling->chip,
		sampling->address);
	if (view->profile->losses == 1)
		fputs(" the GPU dropped samples once, how many is not known\n",
		      out);
	else if (view->profile->losses)
		fprintf(out,
			" the GPU dropped samples %" PRIu64
			" times, how many is not known\n",
			view->profile->losses);
}

static int
print_view(const struct recording *recording, const struct stall_view *view,
	   FILE *out)
{
	int ret;

	print_title(recording, view, out);
	if (!view->sum) {
		fputs("\n no samples: nothing ran on the EUs, or too little\n",
		      out);
		return 0;
	}
	disassemble_kernels(view);
	print_reasons(view, out);
	ret = print_kernels(view, out);
	if (ret)
		return ret;
	print_instructions(view, out);
	print_unnamed(view, out);
	return 0;
}

/* ------------------------------------------------------------------ */
/* For programs                                                         */

#define SCHEMA 1

static void
write_quoted(const char *text, FILE *out)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void
write_csv_head(const char *separator, FILE *out)
{
	static const char *const columns[] = { "schema", "device",  "address",
					       "kernel", "offset",  "reason",
					       "issued", "samples", "share" };

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		fprintf(out, "%s%s", i ? separator : "", columns[i]);
	fputc('\n', out);
}

static void
write_csv_row(const struct stall_view *view, const struct stalled *stalled,
	      unsigned reason, const char *separator, FILE *out)
{
	const struct stalled_kernel *kernel = &view->kernels[stalled->kernel];

	fprintf(out, "%d%s%d%s0x%" PRIx64 "%s", SCHEMA, separator,
		view->profile->sampling.device, separator, stalled->address,
		separator);
	if (kernel->name) {
		write_quoted(kernel->name->name, out);
		fprintf(out, "%s0x%" PRIx64, separator, stalled->offset);
	} else {
		fputs(separator, out);
	}
	fprintf(out, "%s%s%s%s%s%" PRIu64 "%s%.9g\n", separator,
		reason_at(view, reason)->name, separator,
		reason_at(view, reason)->issued ? "yes" : "no", separator,
		stalled->samples[reason], separator,
		share_percentage(stalled->samples[reason], view->sum));
}

static void
write_csv(const struct stall_view *view, const char *separator, FILE *out)
{
	for (size_t i = 0; i < view->count; i++) {
		for (unsigned k = 0; k < count_reasons(view); k++) {
			if (view->list[i].samples[k])
				write_csv_row(view, &view->list[i], k,
					      separator, out);
		}
	}
}

static void
write_json_samples(const struct stall_view *view, const uint64_t *samples,
		   struct json *json)
{
	json_open(json, "samples", '{');
	for (unsigned i = 0; i < count_reasons(view); i++) {
		if (samples[i])
			json_uint(json, reason_at(view, i)->name, samples[i]);
	}
	json_close(json, '}');
}

static void
write_json_instruction(const struct stall_view *view,
		       const struct stalled *stalled, struct json *json)
{
	const struct stalled_kernel *kernel = &view->kernels[stalled->kernel];
	char text[DISASSEMBLY_TEXT_SIZE];

	json_open(json, NULL, '{');
	json_uint(json, "address", stalled->address);
	if (kernel->name) {
		json_text(json, "kernel", kernel->name->name);
		json_uint(json, "offset", stalled->offset);
	}
	if (instruction_text(view, stalled, text))
		json_text(json, "text", text);
	json_uint(json, "sum", stalled->sum);
	write_json_samples(view, stalled->samples, json);
	json_close(json, '}');
}

static void
write_json_view(const struct stall_view *view, struct json *json)
{
	const struct recording_sampling *sampling = &view->profile->sampling;

	json_open(json, NULL, '{');
	json_uint(json, "device", (uint64_t)sampling->device);
	json_text(json, "address", sampling->address);
	json_text(json, "chip", sampling->chip);
	json_uint(json, "period_cycles", sampling->period_cycles);
	json_bool(json, "all_programs", sampling->of_all_programs);
	json_uint(json, "losses", view->profile->losses);
	json_uint(json, "sum", view->sum);
	write_json_samples(view, view->samples, json);
	json_open(json, "instructions", '[');
	for (size_t i = 0; i < view->count; i++)
		write_json_instruction(view, &view->list[i], json);
	json_close(json, ']');
	json_close(json, '}');
}

/* Write a frame. A semicolon would end it. */
static void
write_frame(const char *text, FILE *out)
{
	for (; *text; text++)
		fputc(*text == ';' ? ',' : *text, out);
}

static void
write_stacks(const struct recording *recording, const struct stall_view *view,
	     FILE *out)
{
	char label[LABEL_SIZE];

	for (size_t i = 0; i < view->kernel_count; i++) {
		const struct stalled_kernel *kernel = &view->kernels[i];

		for (unsigned k = 0; k < count_reasons(view); k++) {
			if (!kernel->samples[k])
				continue;
			if (recording->profile_count > 1)
				fprintf(out, "GPU %d, ",
					view->profile->sampling.device);
			fputs("all programs;", out);
			write_frame(kernel_label(kernel, label), out);
			fprintf(out, ";%s %" PRIu64 "\n",
				reason_at(view, k)->name, kernel->samples[k]);
		}
	}
}

/* ------------------------------------------------------------------ */
/* A flame graph                                                        */

/* Sizes of the drawing, in its own units; what is narrower is left out. */
#define FLAME_WIDTH 1000.0
#define FLAME_ROW 20
#define FLAME_LETTER 6.5
#define FLAME_LEAST 0.5

/* A row of the graph: programs below, kernels on them, reasons on top. */
enum flame_row {
	FLAME_REASON,
	FLAME_KERNEL,
	FLAME_PROGRAM,
	FLAME_ROWS
};

struct flame {
	const struct stall_view *view;
	FILE *out;
};

static double
flame_width(const struct flame *flame, uint64_t samples)
{
	return FLAME_WIDTH * (double)samples / (double)flame->view->sum;
}

/* Print the name as far as it fits into the frame. */
static void
flame_print_name(const struct flame *flame, enum flame_row row, double at,
		 double width, const char *name)
{
	const int letters = (int)((width - 6) / FLAME_LETTER);
	char text[LABEL_SIZE];

	if (letters < 3)
		return;
	snprintf(text, sizeof(text), "%.*s", letters, name);
	fprintf(flame->out, "<text x=\"%.2f\" y=\"%d\">", at + 3,
		(int)row * FLAME_ROW + 14);
	page_print_text(flame->out, text);
	fputs("</text>", flame->out);
}

/* Print a frame that begins behind that many samples; hue is in degrees. */
static void
flame_print_frame(const struct flame *flame, enum flame_row row,
		  uint64_t behind, uint64_t samples, unsigned hue,
		  const char *name)
{
	const double at = flame_width(flame, behind);
	const double width = flame_width(flame, samples);
	char count[FORMAT_NUMBER_SIZE];

	if (width < FLAME_LEAST)
		return;
	format_count(samples, count);
	fputs("<g><title>", flame->out);
	page_print_text(flame->out, name);
	fprintf(flame->out,
		": %s samples, %.1f %%</title><rect x=\"%.2f\" y=\"%d\" "
		"width=\"%.2f\" height=\"%d\" fill=\"hsl(%u,65%%,68%%)\"/>",
		count, share_percentage(samples, flame->view->sum), at,
		(int)row * FLAME_ROW, width, FLAME_ROW, hue);
	flame_print_name(flame, row, at, width, name);
	fputs("</g>\n", flame->out);
}

/*
 * Print reasons with the most samples first; those that were issued are green.
 */
static void
flame_print_kernel(const struct flame *flame,
		   const struct stalled_kernel *kernel, uint64_t behind)
{
	const struct stall_view *view = flame->view;
	char label[LABEL_SIZE];
	uint64_t printed = 0;
	unsigned reason;

	flame_print_frame(flame, FLAME_KERNEL, behind, kernel->sum, 35,
			  kernel_label(kernel, label));
	while ((reason = next_reason(view, kernel->samples, printed)) <
	       count_reasons(view)) {
		flame_print_frame(
			flame, FLAME_REASON, behind, kernel->samples[reason],
			reason_at(view, reason)->issued ? 120
							: 150 + 23 * reason,
			reason_at(view, reason)->name);
		behind += kernel->samples[reason];
		printed |= UINT64_C(1) << reason;
	}
}

/*
 * Write the label of all programs: samples are of all, and the name of one is
 * not known.
 */
static const char *
program_label(const struct stall_view *view, char text[LABEL_SIZE])
{
	snprintf(text, LABEL_SIZE, "GPU %d, all programs",
		 view->profile->sampling.device);
	return text;
}

static int
write_flame(const struct stall_view *view, FILE *out)
{
	const struct flame flame = { view, out };
	const struct stalled_kernel **order = sort_kernels(view);
	char label[LABEL_SIZE];
	uint64_t behind = 0;

	if (!order)
		return -ENOMEM;
	fprintf(out, "<svg class=\"flame\" viewBox=\"0 0 %d %d\">\n",
		(int)FLAME_WIDTH, FLAME_ROWS * FLAME_ROW);
	flame_print_frame(&flame, FLAME_PROGRAM, 0, view->sum, 50,
			  program_label(view, label));
	for (size_t i = 0; i < view->kernel_count; i++) {
		flame_print_kernel(&flame, order[i], behind);
		behind += order[i]->sum;
	}
	fputs("</svg>\n", out);
	free(order);
	return 0;
}

static int
write_section(const struct stall_view *view, FILE *out)
{
	const struct recording_sampling *sampling = &view->profile->sampling;
	char count[FORMAT_NUMBER_SIZE];
	int ret = 0;

	format_count(view->sum, count);
	fprintf(out, "<section><h2>EU stalls of GPU %d: ", sampling->device);
	page_print_text(out, sampling->chip);
	fprintf(out,
		"</h2>\n<p>%s samples%s, one every %" PRIu64 " GPU clocks; "
		"dropped: %s.</p>\n",
		count, sampling->of_all_programs ? " of all programs" : "",
		sampling->period_cycles,
		view->profile->losses ? "some, how many is not known" : "none");
	if (view->sum)
		ret = write_flame(view, out);
	fputs("</section>\n", out);
	return ret;
}

/* ------------------------------------------------------------------ */

static int
write_view(const struct recording *recording, const struct stall_view *view,
	   const struct stalls_report *report, struct json *json, FILE *out)
{
	switch (report->format) {
	case STALLS_CSV:
		write_csv(view, report->separator, out);
		return 0;
	case STALLS_JSON:
		disassemble_kernels(view);
		write_json_view(view, json);
		return 0;
	case STALLS_FLAME:
		write_stacks(recording, view, out);
		return 0;
	case STALLS_SECTIONS:
		return write_section(view, out);
	default:
		return print_view(recording, view, out);
	}
}

static int
write_views(const struct recording *recording,
	    const struct stalls_report *report, struct json *json, FILE *out)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < recording->profile_count; i++) {
		struct stall_view view;

		ret = make_view(&recording->profiles[i], report->names, &view);
		if (!ret)
			ret = write_view(recording, &view, report, json, out);
		finish_view(&view);
	}
	return ret;
}

int
stalls_write(const struct recording *recording,
	     const struct stalls_report *report, FILE *out)
{
	struct json json = { .out = out };
	int ret;

	if (report->format == STALLS_CSV)
		write_csv_head(report->separator, out);
	if (report->format != STALLS_JSON)
		return write_views(recording, report, NULL, out);
	json_open(&json, NULL, '{');
	json_uint(&json, "schema", SCHEMA);
	json_open(&json, "command", '[');
	for (size_t i = 0; recording->command[i]; i++)
		json_text(&json, NULL, recording->command[i]);
	json_close(&json, ']');
	json_open(&json, "devices", '[');
	ret = write_views(recording, report, &json, out);
	json_close(&json, ']');
	json_close(&json, '}');
	fputc('\n', out);
	return ret;
}

int
stalls_read(struct recording *recording)
{
	struct recording_item item;
	int ret;

	recording_rewind(recording);
	while ((ret = recording_next(recording, &item)) > 0)
		;
	if (!ret && !recording->profile_count)
		return -ENODATA;
	return ret;
}
