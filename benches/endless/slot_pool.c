// verdict: holds
// A pool of message buffers: the free ones lie on a stack of indices; none is handed out twice.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define SLOTS 5
#define BYTES 4
#define NONE 0xff

uint8_t __VERIFIER_nondet_uchar(void);
_Bool __VERIFIER_nondet_bool(void);

static uint8_t slots[SLOTS][BYTES];
static bool taken[SLOTS];
static uint8_t free_slots[SLOTS];
static uint8_t free_count;

static void initialise(void) {
    for (uint8_t i = 0; i < SLOTS; i++)
        free_slots[i] = SLOTS - 1 - i;
    free_count = SLOTS;
}

static uint8_t take(void) {
    if (free_count == 0)
        return NONE;
    uint8_t slot = free_slots[--free_count];
    assert(!taken[slot]);
    taken[slot] = true;
    return slot;
}

static void give_back(uint8_t slot) {
    if (slot >= SLOTS || !taken[slot])
        return;
    taken[slot] = false;
    free_slots[free_count++] = slot;
}

int main(void) {
    initialise();
    for (;;) {
        uint8_t input = __VERIFIER_nondet_uchar();
        if (__VERIFIER_nondet_bool()) {
            uint8_t slot = take();
            if (slot != NONE)
                slots[slot][input % BYTES] = input;
        } else {
            give_back(input);
        }
        assert(free_count <= SLOTS);
    }
}
