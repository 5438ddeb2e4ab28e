// kripke: check
// verdict: holds

#include <assert.h>
#include <stdlib.h>
unsigned nondet_uint(void);

int main(void)
{
    unsigned n = nondet_uint() % 6 + 1;
    int *p = malloc(n * sizeof *p);
    for (unsigned i = 0; i < n; i++)
        p[i] = (int)i + 1;
    assert(p[n - 1] == (int)n);
    free(p);
    return 0;
}
