// kripke: check
// verdict: violated
// violates: uninitialised@18
// As filled_before_it_is_read.c, but the first element is left as it was.
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);

int main(void) {
    unsigned count = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
    if (count == 0 || count > 100000 || at >= count)
        return 0;
    int *numbers = malloc(count * sizeof *numbers);
    if (!numbers)
        return 0;
    for (int i = (int)count - 1; i > 0; i--)
        numbers[i] = i;
    __VERIFIER_assert(numbers[at] == (int)at);
    free(numbers);
}
