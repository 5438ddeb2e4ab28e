// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>
signed char nondet_schar(void);

static int8_t add_saturating(int8_t a, int8_t b)
{
    int sum = a + b;
    return sum > INT8_MAX ? INT8_MAX : sum < INT8_MIN ? INT8_MIN : (int8_t)sum;
}

int main(void)
{
    int8_t a = nondet_schar(), b = nondet_schar();
    int8_t sum = add_saturating(a, b);
    if (a >= 0 && b >= 0)
        assert(sum >= a && sum >= b);
    if (a < 0 && b < 0)
        assert(sum <= a && sum <= b);
    return 0;
}
