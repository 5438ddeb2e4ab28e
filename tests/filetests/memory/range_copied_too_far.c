// kripke: check
// verdict: violated
// violates: assertion@22
// One length of a thousand reaches the byte.
#include <assert.h>
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);

static char from[1000], to[1000];

int main(void) {
    unsigned length = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
    if (length >= 1000 || at >= 1000)
        return 0;
    from[at] = 1;
    memcpy(to, from, length);
    unsigned char set = 0;
    if (at == 998)
        set = to[at];
    memset(from, 2, length);
    assert(!set || from[at] != 2 || length != 999);
    return 0;
}
