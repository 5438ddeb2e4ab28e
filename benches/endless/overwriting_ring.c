// verdict: violated
// A ring that overwrites its oldest samples when it is full; the reader's index is wrapped one too late.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define SIZE 6

int16_t __VERIFIER_nondet_short(void);
_Bool __VERIFIER_nondet_bool(void);

struct ring {
    int16_t samples[SIZE];
    uint8_t head, tail, count;
};

static struct ring ring;
static uint16_t overwritten;

static void drop_oldest(void) {
    if (++ring.tail > SIZE)
        ring.tail = 0;
    ring.count--;
}

static void put(int16_t sample) {
    if (ring.count == SIZE) {
        drop_oldest();
        overwritten++;
    }
    ring.samples[ring.head] = sample;
    if (++ring.head >= SIZE)
        ring.head = 0;
    ring.count++;
}

static bool get(int16_t *sample) {
    if (ring.count == 0)
        return false;
    *sample = ring.samples[ring.tail];
    ring.tail = (ring.tail + 1) % SIZE;
    ring.count--;
    return true;
}

int main(void) {
    for (;;) {
        int16_t sample = __VERIFIER_nondet_short();
        if (sample > -1000 && sample < 1000)
            put(sample);
        if (__VERIFIER_nondet_bool() && get(&sample))
            assert(sample > -1000 && sample < 1000);
        assert(ring.count <= SIZE);
        assert((ring.tail + ring.count) % SIZE == ring.head);
    }
}
