// kripke: check
// verdict: holds

#include <assert.h>
#include <limits.h>
int nondet_int(void);

int main(void)
{
    int a = nondet_int(), b = nondet_int(), sum, product;
    if (!__builtin_add_overflow(a, b, &sum))
        assert(sum == (long long)a + b);
    else
        assert((long long)a + b > INT_MAX || (long long)a + b < INT_MIN);
    if (!__builtin_mul_overflow((short)a, (short)b, &product))
        assert(product == (short)a * (short)b);
    unsigned char narrow;
    assert(__builtin_add_overflow(200, 100, &narrow) && narrow == 44);
    return 0;
}
