// kripke: check
// verdict: holds

#include <assert.h>
unsigned nondet_uint(void);

int main(void)
{
    unsigned n = nondet_uint() % 5 + 1;
    int a[n];
    for (unsigned i = 0; i < n; i++)
        a[i] = (int)i;
    assert(a[n - 1] == (int)n - 1);
    assert(sizeof a == n * sizeof(int));
    return 0;
}
