// kripke: check
// verdict: holds

#include <assert.h>

static int sum(int n)
{
    int *p = __builtin_alloca(n * sizeof *p);
    int total = 0;
    for (int i = 0; i < n; i++)
        p[i] = i;
    for (int i = 0; i < n; i++)
        total += p[i];
    return total;
}

int main(void)
{
    assert(sum(5) == 10);
    return 0;
}
