// kripke: check
// verdict: violated
// violates: uninitialised@20
// What an iteration copies into an array that was written as a whole need not be written.
#include <string.h>

unsigned char __VERIFIER_nondet_uchar(void);
unsigned __VERIFIER_nondet_uint(void);

static unsigned char buffer[60000];
static int sink;

int main(void) {
    unsigned rounds = 0, first = __VERIFIER_nondet_uint();
    if (first < sizeof buffer)
        buffer[first] = 1;
    for (;;) {
        unsigned char unwritten;
        unsigned at = __VERIFIER_nondet_uint();
        if (rounds == 5 && at < sizeof buffer && buffer[at])
            sink = 1;
        if (rounds == 2 && at < sizeof buffer)
            memcpy(&buffer[at], &unwritten, 1);
        if (__VERIFIER_nondet_uchar())
            rounds++;
    }
}
