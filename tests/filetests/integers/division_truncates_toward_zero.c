// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    assert(-7 / 2 == -3);
    assert(-7 % 2 == -1);
    assert(7 / -2 == -3);
    assert(7 % -2 == 1);
    volatile int a = -7, b = 2;
    assert(a / b * b + a % b == a);
    return 0;
}
