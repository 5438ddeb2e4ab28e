// kripke: check
// verdict: holds
// A decoder of runs: the bits of an unknown byte decide how often each of two nested loops goes on. Followed
// bound times bound times, this would be a hundred rounds.
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char in;
static unsigned at;

static int bit(void) {
    if (at == 8)
        return -1;
    int value = in >> (7 - at) & 1;
    at++;
    return value;
}

int main(void) {
    in = __VERIFIER_nondet_uchar();
    unsigned runs = 0, ones = 0;
    int next = bit();
    while (next >= 0) {
        while (next == 1) {
            ones++;
            next = bit();
        }
        while (next == 0)
            next = bit();
        runs++;
    }
    assert(ones <= 8 && runs <= 5);
    return 0;
}
