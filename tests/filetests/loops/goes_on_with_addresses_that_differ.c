// kripke: check
// options: --no-fuzzing --no-k-induction
// verdict: violated
// violates: assertion@31
// Objects that are made before and after a bound ends lie apart, as far as both live.
#include <stdint.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assert(int);

int main(void)
{
	unsigned count = __VERIFIER_nondet_uchar() % 4u;
	int *made[3];
	for (unsigned i = 0; i < count; i++) {
		made[i] = malloc(sizeof(int));
		if (made[i] == NULL)
			return 0;
		*made[i] = (int)i;
	}
	int after = 0;
	for (unsigned i = 0; i < count; i++) {
		__VERIFIER_assert((uintptr_t)made[i] % sizeof(int) == 0);
		__VERIFIER_assert((uintptr_t)made[i] != (uintptr_t)&after);
		if (i > 0)
			__VERIFIER_assert((uintptr_t)made[i] != (uintptr_t)made[i - 1]);
	}
	for (unsigned i = 0; i < count; i++)
		free(made[i]);
	__VERIFIER_assert(count != 3);
	return 0;
}
