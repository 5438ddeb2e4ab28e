// verdict: holds
// Any number of bytes copied by two pointers and a count.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

size_t __VERIFIER_nondet_size_t(void);
uint8_t __VERIFIER_nondet_uchar(void);

static uint8_t from[4096], to[4096];

static void copy(uint8_t *target, const uint8_t *source, size_t left) {
    while (left--)
        *target++ = *source++;
}

int main(void) {
    size_t length = __VERIFIER_nondet_size_t(), at = __VERIFIER_nondet_size_t();
    if (length > sizeof from || at >= length)
        return 0;
    for (size_t i = 0; i < length; i++)
        from[i] = __VERIFIER_nondet_uchar();
    copy(to, from, length);
    assert(to[at] == from[at]);
}
