// kripke: check
// verdict: holds

#include <assert.h>
unsigned nondet_uint(void);

static int is_odd(unsigned n);

static int is_even(unsigned n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}

static int is_odd(unsigned n)
{
    return n == 0 ? 0 : is_even(n - 1);
}

int main(void)
{
    unsigned n = nondet_uint() % 8;
    assert(is_even(n) == (n % 2 == 0));
    return 0;
}
