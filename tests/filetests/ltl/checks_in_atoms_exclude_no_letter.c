// kripke: check --check assertion --all
// verdict: violated
// ltl: p: G {get() < 2}
// violates: p
/* The assertion says nothing about the atom: with x == 5 its value is what get() returns. */
#include <assert.h>

int x;

static int get(void) {
    assert(x < 2);
    return x;
}

int main(void) {
    x = 5;
    return 0;
}
