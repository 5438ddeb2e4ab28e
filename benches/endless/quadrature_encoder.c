// verdict: holds
// A rotary encoder drives a menu: two pins, a transition table, four quarter steps for each detent.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define ENTRIES 12

uint8_t __VERIFIER_nondet_uchar(void);

static const int8_t transitions[16] = {0, -1, 1, 0, 1, 0, 0, -1, -1, 0, 0, 1, 0, 1, -1, 0};
static const char *const names[ENTRIES] = {
    "volume", "bass",  "treble", "balance", "source", "tone",
    "clock",  "alarm", "sleep",  "light",   "reset",  "about",
};

static uint8_t pins; /* Both pins as they were read the last time. */
static int8_t quarters;
static int8_t entry;
static uint8_t idle;
static bool lit;

static void turn(int8_t step) {
    entry += step;
    if (entry < 0)
        entry = ENTRIES - 1;
    else if (entry >= ENTRIES)
        entry = 0;
}

static bool poll(uint8_t now) {
    int8_t change = transitions[pins << 2 | now];
    pins = now;
    quarters += change;
    if (quarters == 4 || quarters == -4) {
        turn(quarters / 4);
        quarters = 0;
    }
    return change != 0;
}

int main(void) {
    for (;;) {
        if (poll(__VERIFIER_nondet_uchar() & 3)) {
            idle = 0;
            lit = true;
        } else if (lit && ++idle > 200) {
            lit = false;
            idle = 0;
        }
        assert(names[entry] != 0);
        assert(names[entry][0] >= 'a');
        assert(lit || idle == 0);
    }
}
