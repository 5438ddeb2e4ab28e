// kripke: check --unwind 9
// verdict: holds

#include <assert.h>
#include <stdint.h>
unsigned nondet_uint(void);

int main(void)
{
    uint32_t x = nondet_uint();
    if (x == 0)
        return 0;
    for (int i = 0; i < 8; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        assert(x != 0);
    }
    return 0;
}
