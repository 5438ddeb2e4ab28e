// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>
unsigned nondet_uint(void);

int main(void)
{
    uint32_t x = nondet_uint();
    if (x == 0)
        return 0;
    int top = 31 - __builtin_clz(x);
    assert(x >> top == 1);
    int low = __builtin_ctz(x);
    assert((x >> low & 1) == 1 && (low == 0 || (x << (32 - low)) == 0));
    return 0;
}
