// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    volatile long double x = 1.0L;
    assert(x / 3 * 3 == 1);
    assert((double)(x + 0x1p-60L) == 1.0);
    assert(x + 0x1p-63L != 1.0L);
    return 0;
}
