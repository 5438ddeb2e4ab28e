// kripke: check --unwind 4 --no-k-induction
// verdict: unknown

#include <assert.h>

int main(void)
{
    unsigned n = 0;
    while (n < 10)
        n++;
    assert(n == 10);
    return 0;
}
