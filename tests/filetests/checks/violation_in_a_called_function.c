// kripke: check
// verdict: violated
// violates: assertion@10

#include <assert.h>
int nondet_int(void);

static int scale(int x)
{
    assert(x >= 0);
    return x / 2;
}

static int middle(int x)
{
    return scale(x - 10);
}

int main(void)
{
    int x = nondet_int();
    if (x > 0)
        return middle(x);
    return 0;
}
