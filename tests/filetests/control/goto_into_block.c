// kripke: check
// verdict: holds

#include <assert.h>
_Bool nondet_bool(void);

int main(void)
{
    int x = 1;
    if (nondet_bool())
        goto inside;
    x = 2;
    {
        x = 3;
    inside:
        x += 10;
    }
    assert(x == 11 || x == 13);
    return 0;
}
