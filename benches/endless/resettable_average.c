// verdict: violated
// A mean over the last samples that can be reset; the reset clears the sum and keeps the old samples.
#include <assert.h>
#include <stdint.h>

#define WINDOW 6
#define SAMPLE_MAX 1000

uint8_t __VERIFIER_nondet_uchar(void);
uint16_t __VERIFIER_nondet_ushort(void);

struct average {
    uint16_t samples[WINDOW];
    uint16_t sum;
    uint8_t at, count;
};

static struct average pressure, flow;

static void reset(struct average *average) {
    average->sum = 0;
    average->count = 0;
    average->at = 0;
}

static uint16_t add(struct average *average, uint16_t sample) {
    average->sum -= average->samples[average->at];
    average->samples[average->at] = sample;
    average->sum += sample;
    if (++average->at == WINDOW)
        average->at = 0;
    if (average->count < WINDOW)
        average->count++;
    return average->sum / average->count;
}

int main(void) {
    for (;;) {
        uint8_t input = __VERIFIER_nondet_uchar();
        struct average *average = input & 1 ? &pressure : &flow;
        if (input >= 250) {
            reset(average);
            continue;
        }
        uint16_t sample = __VERIFIER_nondet_ushort();
        if (sample > SAMPLE_MAX)
            continue;
        uint16_t mean = add(average, sample);
        assert(average->at < WINDOW);
        assert(mean <= SAMPLE_MAX);
    }
}
