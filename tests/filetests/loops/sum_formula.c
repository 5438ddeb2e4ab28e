// kripke: check
// verdict: holds

#include <assert.h>
unsigned nondet_uint(void);

int main(void)
{
    unsigned n = nondet_uint() % 16, sum = 0;
    for (unsigned i = 1; i <= n; i++)
        sum += i;
    assert(sum == n * (n + 1) / 2);
    return 0;
}
