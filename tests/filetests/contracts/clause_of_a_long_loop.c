// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 1000000; i++)
        __CPROVER_loop_invariant(i <= 1000000 && sum == 2 * i)
    {
        sum += 2;
    }
    assert(sum == 2000000);
}
