// kripke: check
// verdict: holds

#include <assert.h>
_Bool nondet_bool(void);

int main(void)
{
    unsigned a = 0, b = 0;
    while (nondet_bool()) {
        a += 2;
        b += 1;
        assert(a == 2 * b);
    }
    assert(a == 2 * b);
    return 0;
}
