// kripke: check
// verdict: holds

#include <assert.h>

static int calls;
static int touch(int value)
{
    calls++;
    return value;
}

int main(void)
{
    int r = touch(0) && touch(1);
    assert(r == 0 && calls == 1);
    r = touch(1) || touch(0);
    assert(r == 1 && calls == 2);
    r = touch(2) && touch(3);
    assert(r == 1 && calls == 4);
    return 0;
}
