// verdict: holds
// Bytes moved to a higher place that may overlap, from the last to the first.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

size_t __VERIFIER_nondet_size_t(void);
uint8_t __VERIFIER_nondet_uchar(void);

static uint8_t memory[4096], before[4096];

static void move_up(uint8_t *target, const uint8_t *source, size_t length) {
    for (size_t i = length; i > 0; i--)
        target[i - 1] = source[i - 1];
}

int main(void) {
    size_t length = __VERIFIER_nondet_size_t(), by = __VERIFIER_nondet_size_t();
    size_t at = __VERIFIER_nondet_size_t();
    if (by > 1000 || length > 3000 || at >= length)
        return 0;
    for (size_t i = 0; i < length; i++)
        before[i] = memory[i] = __VERIFIER_nondet_uchar();
    move_up(memory + by, memory, length);
    assert(memory[at + by] == before[at]);
}
