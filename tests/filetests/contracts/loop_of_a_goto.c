// kripke: check
// verdict: holds

#include <assert.h>

void __VERIFIER_loop_invariant(int);

int main(void)
{
    unsigned x = 0;
again:
    __VERIFIER_loop_invariant(x <= 500000);
    if (x < 500000) {
        x++;
        goto again;
    }
    assert(x == 500000);
}
