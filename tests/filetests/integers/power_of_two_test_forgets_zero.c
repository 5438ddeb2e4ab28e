// kripke: check
// verdict: violated
// violates: assertion@18

#include <assert.h>
#include <stdint.h>
unsigned nondet_uint(void);

static int is_power_of_two(uint32_t x)
{
    return (x & (x - 1)) == 0;
}

int main(void)
{
    uint32_t x = nondet_uint();
    if (is_power_of_two(x))
        assert(__builtin_popcount(x) == 1);
    return 0;
}
