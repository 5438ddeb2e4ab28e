// kripke: check
// verdict: violated
// violates: assertion@34

#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

unsigned search(unsigned limit)
{
    unsigned i = 0;
    do
        __CPROVER_loop_invariant(i <= 1000)
    {
        unsigned seen = __VERIFIER_nondet_uint();
        if (seen == 5)
            return i;
        if (seen == 6)
            goto out;
        if (seen == 7)
            break;
        if (seen == 8) {
            i = i < 1000 ? i + 1 : 0;
            continue;
        }
    } while (i != limit);
    return i;
out:
    return i + 1;
}

int main(void)
{
    assert(search(__VERIFIER_nondet_uint()) <= 1);
}
