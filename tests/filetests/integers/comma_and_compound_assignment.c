// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    int x = 1, y;
    y = (x += 2, x *= 3, x);
    assert(y == 9);
    x = 7;
    x <<= 2;
    x |= 1;
    x %= 10;
    assert(x == 9);
    return 0;
}
