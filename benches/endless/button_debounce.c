// verdict: holds
// Eight buttons, each with an integrator that counts up and down; a button changes only at the ends.
#include <assert.h>
#include <stdint.h>

#define BUTTONS 8
#define LIMIT 5

uint8_t __VERIFIER_nondet_uchar(void);

static uint8_t integrator[BUTTONS];
static uint8_t stable; /* One bit for each button. */
static uint8_t pressed_count;

static uint8_t sample(uint8_t button, uint8_t pins) {
    uint8_t mask = (uint8_t)(1u << button);
    if (pins & mask) {
        if (integrator[button] < LIMIT)
            integrator[button]++;
    } else if (integrator[button] > 0) {
        integrator[button]--;
    }
    if (integrator[button] == LIMIT && !(stable & mask)) {
        stable |= mask;
        pressed_count++;
    } else if (integrator[button] == 0 && (stable & mask)) {
        stable &= (uint8_t)~mask;
        pressed_count--;
    }
    return integrator[button];
}

int main(void) {
    uint8_t button = 0;
    for (;;) {
        uint8_t level = sample(button, __VERIFIER_nondet_uchar());
        assert(level <= LIMIT);
        if (level == LIMIT)
            assert(stable >> button & 1);
        if (level == 0)
            assert(!(stable >> button & 1));
        assert(pressed_count <= BUTTONS);
        if (++button == BUTTONS)
            button = 0;
    }
}
