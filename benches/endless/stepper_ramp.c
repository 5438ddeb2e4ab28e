// verdict: holds
// A stepper motor on an axis: speed ramps up and down, and the axis stops at its target inside its ends.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define TRAVEL 2000
#define SPEED_MAX 40
#define STEP_COST 1000

uint16_t __VERIFIER_nondet_ushort(void);
_Bool __VERIFIER_nondet_bool(void);

static int16_t position, target;
static uint16_t remaining; /* Steps to the target. */
static uint8_t speed;      /* Also the steps that braking takes. */
static int8_t direction;
static uint16_t phase;

static bool move_to(uint16_t wanted) {
    if (direction != 0 || wanted > TRAVEL)
        return false;
    target = (int16_t)wanted;
    if (target == position)
        return true;
    direction = target > position ? 1 : -1;
    remaining = (uint16_t)(direction > 0 ? target - position : position - target);
    speed = 1;
    phase = 0;
    return true;
}

static void pulse(void) {
    position += direction;
    remaining--;
    if (remaining == 0) {
        direction = 0;
        speed = 0;
    } else if (remaining <= speed) {
        if (speed > 1)
            speed--;
    } else if (speed < SPEED_MAX) {
        speed++;
    }
}

static void tick(void) {
    if (direction == 0)
        return;
    phase += (uint16_t)(speed * 25);
    if (phase >= STEP_COST) {
        phase -= STEP_COST;
        pulse();
    }
}

int main(void) {
    for (;;) {
        if (__VERIFIER_nondet_bool())
            move_to(__VERIFIER_nondet_ushort());
        tick();
        assert(position >= 0 && position <= TRAVEL);
        assert(direction != 0 || position == target);
        assert((direction == 0) == (speed == 0));
        assert(phase < STEP_COST);
    }
}
