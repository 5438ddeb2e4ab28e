// kripke: check
// verdict: holds

#include <assert.h>
#include <math.h>

int main(void)
{
    volatile double a = 1.0 + 0x1p-30, b = 1.0 - 0x1p-30;
    assert(a * b - 1.0 == 0);
    assert(fma(a, b, -1.0) == -0x1p-60);
    return 0;
}
