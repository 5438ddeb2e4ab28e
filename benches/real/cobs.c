// cobs-c: N unknown bytes are the same after encoding and decoding, and the code has no zero.
#include <assert.h>
#include "cobs.h"

unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char plain[N], code[COBS_ENCODE_DST_BUF_LEN_MAX(N)], again[N];
    for (int i = 0; i < N; i++)
        plain[i] = __VERIFIER_nondet_uchar();
    cobs_encode_result encoded = cobs_encode(code, sizeof code, plain, N);
    assert(encoded.status == COBS_ENCODE_OK && encoded.out_len <= sizeof code);
    for (unsigned i = 0; i < encoded.out_len; i++)
        assert(code[i] != 0);
    cobs_decode_result decoded = cobs_decode(again, sizeof again, code, encoded.out_len);
    assert(decoded.status == COBS_DECODE_OK && decoded.out_len == N);
    for (int i = 0; i < N; i++)
        assert(again[i] == plain[i]);
    return 0;
}
