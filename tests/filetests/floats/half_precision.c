// kripke: check --target aarch64-linux-gnu
// verdict: holds

#include <assert.h>

int main(void)
{
    volatile _Float16 x = 2048;
    _Float16 y = x + 1;
    assert(y == 2048);
    assert((float)(_Float16)0.1f != 0.1f);
    return 0;
}
