// verdict: holds
// The median of the last five distances of an ultrasonic sensor; echoes out of range are not taken.
#include <assert.h>
#include <stdint.h>
#include <string.h>

#define TAPS 5
#define NEAR 20
#define FAR 4000

uint16_t __VERIFIER_nondet_ushort(void);

static uint16_t history[TAPS];
static uint8_t next;

static void sort(uint16_t *values) {
    for (int i = 1; i < TAPS; i++) {
        uint16_t value = values[i];
        int j = i;
        while (j > 0 && values[j - 1] > value) {
            values[j] = values[j - 1];
            j--;
        }
        values[j] = value;
    }
}

static uint16_t median(void) {
    uint16_t sorted[TAPS];
    memcpy(sorted, history, sizeof sorted);
    sort(sorted);
    assert(sorted[0] <= sorted[TAPS - 1]);
    return sorted[TAPS / 2];
}

int main(void) {
    for (int i = 0; i < TAPS; i++)
        history[i] = FAR;
    for (;;) {
        uint16_t echo = __VERIFIER_nondet_ushort();
        if (echo < NEAR || echo > FAR)
            continue;
        history[next++] = echo;
        if (next == TAPS)
            next = 0;
        uint16_t distance = median();
        assert(distance >= NEAR && distance <= FAR);
        uint32_t speed = 1000000u / distance;
        assert(speed <= 50000);
    }
}
