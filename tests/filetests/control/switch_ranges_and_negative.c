// kripke: check
// verdict: holds

#include <assert.h>
signed char nondet_schar(void);

int main(void)
{
    signed char c = nondet_schar();
    int kind;
    switch (c) {
    case -128 ... -1:
        kind = -1;
        break;
    case 0:
        kind = 0;
        break;
    default:
        kind = 1;
    }
    assert((kind < 0) == (c < 0) && (kind == 0) == (c == 0));
    return 0;
}
