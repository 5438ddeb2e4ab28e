/* A receive buffer between an interrupt handler, which puts, and a main loop, which gets. One of the two
   wrap-arounds is wrong; no single test that only fills or only drains the buffer notices. */
#include <stdbool.h>
#include <stdint.h>

#define SIZE 4

bool __VERIFIER_nondet_bool(void);
uint8_t __VERIFIER_nondet_uchar(void);

struct ring {
    uint8_t data[SIZE];
    uint8_t head;
    uint8_t tail;
};

static bool ring_put(struct ring *ring, uint8_t value) {
    uint8_t next = ring->head + 1;
    if (next > SIZE)
        next = 0;
    if (next == ring->tail)
        return false;
    ring->data[ring->head] = value;
    ring->head = next;
    return true;
}

static bool ring_get(struct ring *ring, uint8_t *value) {
    if (ring->tail == ring->head)
        return false;
    *value = ring->data[ring->tail];
    ring->tail = (ring->tail + 1) % SIZE;
    return true;
}

int main(void) {
    static struct ring ring;
    for (int step = 0; step < 8; step++) {
        uint8_t value;
        if (__VERIFIER_nondet_bool())
            ring_put(&ring, __VERIFIER_nondet_uchar());
        else
            ring_get(&ring, &value);
    }
    return 0;
}
