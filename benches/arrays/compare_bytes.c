// verdict: holds
// Two buffers of any length are equal where a comparison says so.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

size_t __VERIFIER_nondet_size_t(void);
uint8_t __VERIFIER_nondet_uchar(void);

static uint8_t a[2000], b[2000];

static int are_equal(const uint8_t *x, const uint8_t *y, size_t length) {
    while (length--)
        if (*x++ != *y++)
            return 0;
    return 1;
}

int main(void) {
    size_t length = __VERIFIER_nondet_size_t(), at = __VERIFIER_nondet_size_t();
    if (length > sizeof a || at >= length)
        return 0;
    for (size_t i = 0; i < length; i++) {
        a[i] = __VERIFIER_nondet_uchar();
        b[i] = __VERIFIER_nondet_uchar();
    }
    if (are_equal(a, b, length))
        assert(a[at] == b[at]);
}
