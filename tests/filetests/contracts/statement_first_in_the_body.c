// kripke: check
// verdict: holds

#include <assert.h>

void __VERIFIER_loop_invariant(int);
_Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    unsigned a = 1, b = 2;
    for (;;) {
        __VERIFIER_loop_invariant(b == a + 1 || (a == 7 && b == 7));
        if (a == 7 && b == 7)
            break;
        if (__VERIFIER_nondet_bool()) {
            a++;
            b++;
            continue;
        }
        if (__VERIFIER_nondet_bool()) {
            a = b = 7;
        }
    }
    assert(a == 7 && b == 7);
}
