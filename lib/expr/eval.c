/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/program.h"

#include "expr/execute.h"

union drmperf_value
expr_eval(const struct expr_program *program, const struct expr_input *inputs)
{
	union drmperf_value frame[EXPR_MAX_SLOTS];
	union drmperf_value *slot = frame;
	const struct expr_instruction *i = program->instructions;
	const struct expr_instruction *end = i + program->instruction_count;
	size_t k;

	for (k = 0; k < program->constant_count; k++)
		*slot++ = program->constants[k];
	for (k = 0; k < program->operand_count; k++) {
		const struct expr_operand *operand = &program->operands[k];
		const struct expr_input *input = &inputs[operand->input];

		if (operand_is_single(operand, input))
			slot++->u64 = *input->values;
		else
			*slot++ = expr_aggregate(operand, input);
	}
	for (; i < end; i++)
		execute_operation((enum expr_op)i->op, &frame[i->to],
				  &frame[i->a], &frame[i->b], &frame[i->c]);
	return frame[program->result];
}
