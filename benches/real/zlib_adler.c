// zlib: the Adler-32 sum of N unknown bytes is what RFC 1950 says: two sums modulo 65521.
#include <assert.h>
#include "zlib.h"

unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char bytes[N];
    unsigned low = 1, high = 0;
    for (int i = 0; i < N; i++) {
        bytes[i] = __VERIFIER_nondet_uchar();
        low = (low + bytes[i]) % 65521;
        high = (high + low) % 65521;
    }
    assert(adler32(1, bytes, N) == (high << 16 | low));
    return 0;
}
