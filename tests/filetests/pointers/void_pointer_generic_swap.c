// kripke: check
// verdict: holds

#include <assert.h>

static void swap_bytes(void *a, void *b, unsigned size)
{
    unsigned char *x = a, *y = b;
    for (unsigned i = 0; i < size; i++) {
        unsigned char t = x[i];
        x[i] = y[i];
        y[i] = t;
    }
}

int main(void)
{
    double a = 1.5, b = -2.25;
    swap_bytes(&a, &b, sizeof a);
    assert(a == -2.25 && b == 1.5);
    return 0;
}
