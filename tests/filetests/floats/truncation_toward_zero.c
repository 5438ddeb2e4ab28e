// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    volatile double a = 2.9, b = -2.9, c = -0.5;
    assert((int)a == 2 && (int)b == -2 && (int)c == 0);
    assert((unsigned)c == 0);
    return 0;
}
