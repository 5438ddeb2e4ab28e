// verdict: holds
// The sums of bytes and of their sums are those of the bytes that were copied, however many.
#include <stddef.h>
#include <stdint.h>
size_t __VERIFIER_nondet_size_t(void);
uint8_t __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static uint8_t frame[300];
static uint8_t copy[300];

struct sums {
    uint16_t first, second;
};

static struct sums sums_of(const uint8_t *data, size_t length) {
    struct sums sums = { 0, 0 };
    for (size_t i = 0; i < length; i++) {
        sums.first = (sums.first + data[i]) & 0xff;
        sums.second = (sums.second + sums.first) & 0xff;
    }
    return sums;
}

int main(void) {
    size_t length = __VERIFIER_nondet_size_t();
    if (length > sizeof frame)
        return 0;
    for (size_t i = 0; i < length; i++)
        frame[i] = __VERIFIER_nondet_uchar();
    for (size_t i = 0; i < length; i++)
        copy[i] = frame[i];
    struct sums sent = sums_of(frame, length), received = sums_of(copy, length);
    __VERIFIER_assert(sent.second == received.second);
}
