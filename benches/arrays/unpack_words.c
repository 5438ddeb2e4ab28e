// verdict: holds
// Bytes become words of two, the lower byte first.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

uint8_t __VERIFIER_nondet_uchar(void);
unsigned __VERIFIER_nondet_uint(void);

static uint8_t bytes[1000];
static uint16_t words[500];

int main(void) {
    unsigned count = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
    if (count > 500 || at >= count)
        return 0;
    for (unsigned i = 0; i < 2 * count; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    for (unsigned i = 0; i < count; i++)
        words[i] = (uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
    assert(words[at] == (bytes[2 * at] | bytes[2 * at + 1] << 8));
}
