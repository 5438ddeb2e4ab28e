// heatshrink: N unknown bytes are decompressed; the decoder neither fails nor writes more than it is given.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include "heatshrink_decoder.h"

uint8_t __VERIFIER_nondet_uchar(void);

int main(void) {
    static heatshrink_decoder decoder;
    uint8_t in[N], out[8];
    for (int i = 0; i < N; i++)
        in[i] = __VERIFIER_nondet_uchar();
    heatshrink_decoder_reset(&decoder);
    size_t taken = 0;
    HSD_sink_res sunk = heatshrink_decoder_sink(&decoder, in, N, &taken);
    assert(sunk == HSDR_SINK_OK && taken == N);
    HSD_poll_res polled;
    do {
        size_t written = 0;
        polled = heatshrink_decoder_poll(&decoder, out, sizeof out, &written);
        assert(polled >= HSDR_POLL_EMPTY && written <= sizeof out);
    } while (polled == HSDR_POLL_MORE);
    return 0;
}
