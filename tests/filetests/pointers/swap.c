// kripke: check
// verdict: holds

#include <assert.h>
int nondet_int(void);

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

int main(void)
{
    int x = nondet_int(), y = nondet_int();
    int old_x = x, old_y = y;
    swap(&x, &y);
    assert(x == old_y && y == old_x);
    swap(&x, &x);
    assert(x == old_y);
    return 0;
}
