// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    _BitInt(5) x = 15;
    assert(x == 15);
    x = (_BitInt(5))16;
    assert(x == -16);
    assert(sizeof(_BitInt(17)) == 4);
    return 0;
}
