// kripke: check
// options: --no-fuzzing --no-k-induction
// verdict: holds
// A larger bound goes on inside of calls inside of loops, with the objects that are alive there.
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assert(int);

static unsigned fill(unsigned char *to, unsigned length, unsigned char from)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < length; i++) {
		to[i] = (unsigned char)(from + i);
		sum += to[i];
	}
	return sum;
}

int main(void)
{
	unsigned rows = __VERIFIER_nondet_uchar() % 7u;
	unsigned total = 0, written = 0;
	for (unsigned row = 0; row < rows; row++) {
		unsigned length = __VERIFIER_nondet_uchar() % 6u;
		unsigned char *line = malloc(6);
		if (line == NULL)
			return 0;
		unsigned sum = fill(line, length, (unsigned char)row);
		unsigned again = 0;
		for (unsigned i = 0; i < length; i++)
			again += line[i];
		__VERIFIER_assert(sum == again);
		total += length;
		written += sum;
		free(line);
	}
	__VERIFIER_assert(total <= 30);
	__VERIFIER_assert(written <= 135);
	return 0;
}
