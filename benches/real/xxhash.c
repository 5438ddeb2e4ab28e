// xxHash: the 32-bit hash of N unknown bytes is the same whether they come at once or in two parts.
#include <assert.h>
#define XXH_STATIC_LINKING_ONLY
#define XXH_INLINE_ALL
#define XXH_NO_STREAM_ALLOCATION
#include "xxhash.h"

unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int condition);

int main(void) {
    unsigned char bytes[N], cut = __VERIFIER_nondet_uchar();
    for (int i = 0; i < N; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(cut <= N);
    XXH32_state_t state;
    XXH32_reset(&state, 0);
    XXH32_update(&state, bytes, cut);
    XXH32_update(&state, bytes + cut, N - cut);
    assert(XXH32_digest(&state) == XXH32(bytes, N, 0));
    return 0;
}
