// libb64: N unknown bytes are the same after encoding and decoding; neither writes more than it should.
#include <assert.h>
#include <b64/cdecode.h>
#include <b64/cencode.h>

char __VERIFIER_nondet_char(void);

int main(void) {
    char plain[N], code[4 * ((N + 2) / 3) + 1], again[N + 2];
    for (int i = 0; i < N; i++)
        plain[i] = __VERIFIER_nondet_char();
    base64_encodestate encoder;
    base64_init_encodestate(&encoder);
    int length = base64_encode_block(plain, N, code, &encoder);
    length += base64_encode_blockend(code + length, &encoder);
    assert(length == (int)sizeof code);
    base64_decodestate decoder;
    base64_init_decodestate(&decoder);
    assert(base64_decode_block(code, length, again, &decoder) == N);
    for (int i = 0; i < N; i++)
        assert(again[i] == plain[i]);
    return 0;
}
