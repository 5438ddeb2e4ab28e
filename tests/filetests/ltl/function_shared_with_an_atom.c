// kripke: check --check assertion --all
// verdict: violated
// ltl: p: F {y == 1 && get() > 0}
// violates: get.assertion.1
// violates: p
/* The run ends in get(), which the atom calls too: only the program's own call can fail. */
#include <assert.h>

int x, y;

static int get(void) {
    assert(x < 2);
    return x;
}

int main(void) {
    x = 5;
    (void)get();
    y = 1;
    return 0;
}
