// verdict: holds
// A frame with its checksum appended sums up to zero.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

size_t __VERIFIER_nondet_size_t(void);
uint8_t __VERIFIER_nondet_uchar(void);

static uint8_t frame[300];

static uint8_t sum_of(const uint8_t *data, size_t length) {
    uint8_t sum = 0;
    while (length--)
        sum += *data++;
    return sum;
}

int main(void) {
    size_t length = __VERIFIER_nondet_size_t();
    if (length >= sizeof frame)
        return 0;
    for (size_t i = 0; i < length; i++)
        frame[i] = __VERIFIER_nondet_uchar();
    frame[length] = (uint8_t)-sum_of(frame, length);
    assert(sum_of(frame, length + 1) == 0);
}
