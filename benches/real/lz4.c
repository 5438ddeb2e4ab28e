// LZ4: N unknown bytes are decompressed into 16; the decoder stays inside both and says how much came out.
#include <assert.h>
#include "lz4.h"

#define ROOM 16

char __VERIFIER_nondet_char(void);

int main(void) {
    char in[N], out[ROOM];
    for (int i = 0; i < N; i++)
        in[i] = __VERIFIER_nondet_char();
    assert(LZ4_decompress_safe(in, out, N, ROOM) <= ROOM);
    return 0;
}
