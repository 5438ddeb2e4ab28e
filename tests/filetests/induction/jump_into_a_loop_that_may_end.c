// kripke: check
// verdict: violated
// violates: assertion@16
// Only the run that jumps into the loop has the secret, and fails in its fourth round.

#include <assert.h>
_Bool nondet_bool(void);

int main(void)
{
    unsigned n = 0, secret = 0;
    if (nondet_bool()) { secret = 1; goto middle; }
    do {
        n++;
        if (nondet_bool()) n = 0;
middle: assert(!(secret && n == 3));
    } while (nondet_bool());
    return 0;
}
