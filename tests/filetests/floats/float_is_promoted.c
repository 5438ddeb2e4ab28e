// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    volatile float x = 0.1f;
    assert(x < 0.10000001f + 1e-7);
    assert(x != 0.1);
    assert(x * 10.0 != 1.0);
    assert(x * 10.0f == 1.0f);
    return 0;
}
