// liblzf: N unknown bytes are decompressed into 8; the decoder stays inside both.
#include <assert.h>
#include <stdlib.h>
#include "lzf.h"

#define ROOM 8

unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char in[N], out[ROOM];
    for (int i = 0; i < N; i++)
        in[i] = __VERIFIER_nondet_uchar();
    assert(lzf_decompress(in, N, out, ROOM) <= ROOM);
    return 0;
}
