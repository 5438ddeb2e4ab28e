// kripke: check
// verdict: holds

#include <assert.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

struct switches {
    bool left, right;
} switches[4];

int main(void)
{
    for (int i = 0; i < 4; i++) {
        switches[i].left = __VERIFIER_nondet_bool();
        switches[i].right = !switches[i].left;
    }
    for (int i = 0; i < 4; i++)
        assert(switches[i].left + switches[i].right == 1);
    return 0;
}
