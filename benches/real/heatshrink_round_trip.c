// heatshrink: what is compressed and decompressed again are the same N bytes.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include "heatshrink_decoder.h"
#include "heatshrink_encoder.h"

uint8_t __VERIFIER_nondet_uchar(void);

int main(void) {
    static heatshrink_encoder encoder;
    static heatshrink_decoder decoder;
    uint8_t in[N], packed[2 * N + 2], out[N + 1];
    for (int i = 0; i < N; i++)
        in[i] = __VERIFIER_nondet_uchar();

    heatshrink_encoder_reset(&encoder);
    size_t count = 0, length = 0;
    heatshrink_encoder_sink(&encoder, in, N, &count);
    assert(count == N);
    while (heatshrink_encoder_finish(&encoder) == HSER_FINISH_MORE) {
        heatshrink_encoder_poll(&encoder, packed + length, sizeof packed - length, &count);
        length += count;
    }
    assert(length <= sizeof packed);

    heatshrink_decoder_reset(&decoder);
    heatshrink_decoder_sink(&decoder, packed, length, &count);
    assert(count == length);
    heatshrink_decoder_poll(&decoder, out, sizeof out, &count);
    assert(count == N);
    for (int i = 0; i < N; i++)
        assert(out[i] == in[i]);
    return 0;
}
