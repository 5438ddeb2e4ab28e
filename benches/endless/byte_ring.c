// verdict: holds
// A UART with rings for received and sent bytes: indices run freely and are masked where they are used.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define SIZE 16u
#define MASK (SIZE - 1u)

uint8_t __VERIFIER_nondet_uchar(void);
_Bool __VERIFIER_nondet_bool(void);

struct ring {
    volatile uint8_t bytes[SIZE];
    volatile uint8_t head, tail;
};

static struct ring received, sent;
static uint16_t dropped;

static uint8_t used(const struct ring *ring) {
    return (uint8_t)(ring->head - ring->tail);
}

static bool put(struct ring *ring, uint8_t byte) {
    if (used(ring) == SIZE)
        return false;
    ring->bytes[ring->head & MASK] = byte;
    ring->head++;
    return true;
}

static bool get(struct ring *ring, uint8_t *byte) {
    if (ring->head == ring->tail)
        return false;
    *byte = ring->bytes[ring->tail & MASK];
    ring->tail++;
    return true;
}

static void on_receive(uint8_t byte) {
    if (!put(&received, byte) && dropped < UINT16_MAX)
        dropped++;
}

int main(void) {
    for (;;) {
        uint8_t byte;
        if (__VERIFIER_nondet_bool())
            on_receive(__VERIFIER_nondet_uchar());
        if (used(&sent) < SIZE && get(&received, &byte)) {
            bool stored = put(&sent, byte);
            assert(stored);
        }
        if (__VERIFIER_nondet_bool())
            get(&sent, &byte);
        assert(used(&received) <= SIZE);
        assert(used(&sent) <= SIZE);
    }
}
