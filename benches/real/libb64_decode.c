// libb64: N unknown characters are decoded; never more than three bytes come out of four.
// The decoder looks at the byte where the next would come, so that it gets room for one more, with zeros.
#include <assert.h>
#include <b64/cdecode.h>

char __VERIFIER_nondet_char(void);

int main(void) {
    char code[N], plain[N + 1] = "";
    for (int i = 0; i < N; i++)
        code[i] = __VERIFIER_nondet_char();
    base64_decodestate decoder;
    base64_init_decodestate(&decoder);
    assert(base64_decode_block(code, N, plain, &decoder) <= N);
    return 0;
}
