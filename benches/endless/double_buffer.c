// verdict: holds
// DMA fills one buffer while the main loop empties the other; the two never share one.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SAMPLES 12

uint16_t __VERIFIER_nondet_ushort(void);
_Bool __VERIFIER_nondet_bool(void);

static uint16_t buffers[2][SAMPLES];
static uint16_t *filling = buffers[0];
static uint16_t *emptying; /* Null: nothing to do. */
static uint8_t filled, emptied;
static uint16_t overruns;

static void on_sample(uint16_t sample) {
    filling[filled] = sample & 0x3ff;
    if (++filled < SAMPLES)
        return;
    filled = 0;
    if (emptying != NULL) {
        overruns += overruns < UINT16_MAX;
        return;
    }
    emptying = filling;
    emptied = 0;
    filling = filling == buffers[0] ? buffers[1] : buffers[0];
}

static bool process(uint16_t *value) {
    if (emptying == NULL)
        return false;
    *value = emptying[emptied++];
    if (emptied == SAMPLES)
        emptying = NULL;
    return true;
}

int main(void) {
    for (;;) {
        uint16_t value;
        if (__VERIFIER_nondet_bool())
            on_sample(__VERIFIER_nondet_ushort());
        if (__VERIFIER_nondet_bool() && process(&value))
            assert(value < 1024);
        assert(filling != emptying);
        assert(filled < SAMPLES && emptied <= SAMPLES);
        assert(emptying == NULL || emptied < SAMPLES);
    }
}
