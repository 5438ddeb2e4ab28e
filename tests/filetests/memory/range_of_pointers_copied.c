// kripke: check
// verdict: holds
// Pointers in a range whose length is not known still lead to their objects.
#include <assert.h>
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);

static int a = 1, b = 2;
static int *from[200], *to[200];

int main(void) {
    unsigned count = __VERIFIER_nondet_uint();
    if (count > 200 || count < 2)
        return 0;
    from[0] = &a;
    from[1] = &b;
    memcpy(to, from, count * sizeof *to);
    assert(*to[0] == 1 && *to[1] == 2);
    return 0;
}
