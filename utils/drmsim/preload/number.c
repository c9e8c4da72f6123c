/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/number.h"

#include <string.h>

void
number_append(char *text, unsigned number)
{
	char digits[12];
	unsigned n = sizeof(digits) - 1;

	digits[n] = '\0';
	do {
		digits[--n] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	strcat(text, digits + n);
}
