// kripke: check
// verdict: holds

#include <assert.h>

static void each(const int *a, int n, void (*visit)(int, void *), void *context)
{
    for (int i = 0; i < n; i++)
        visit(a[i], context);
}

static void accumulate(int value, void *context)
{
    *(int *)context += value;
}

int main(void)
{
    int a[] = {1, 2, 3}, sum = 0;
    each(a, 3, accumulate, &sum);
    assert(sum == 6);
    return 0;
}
