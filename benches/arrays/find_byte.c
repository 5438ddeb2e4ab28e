// verdict: holds
// The first byte of a kind in any number of bytes.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

size_t __VERIFIER_nondet_size_t(void);
uint8_t __VERIFIER_nondet_uchar(void);

static uint8_t bytes[3000];

static size_t find(const uint8_t *data, size_t length, uint8_t wanted) {
    size_t i = 0;
    while (i < length && data[i] != wanted)
        i++;
    return i;
}

int main(void) {
    size_t length = __VERIFIER_nondet_size_t(), at = __VERIFIER_nondet_size_t();
    if (length > sizeof bytes)
        return 0;
    for (size_t i = 0; i < length; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    size_t found = find(bytes, length, 0x7e);
    assert(found == length || bytes[found] == 0x7e);
    if (at < found)
        assert(bytes[at] != 0x7e);
}
