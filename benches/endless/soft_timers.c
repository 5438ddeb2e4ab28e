// verdict: holds
// Timers on a tick counter of 16 bits that wraps around: none runs longer than allowed, none fires late.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define TIMERS 4
#define LONGEST 30000u

uint8_t __VERIFIER_nondet_uchar(void);
uint16_t __VERIFIER_nondet_ushort(void);

struct timer {
    uint16_t due;
    uint16_t period; /* Zero: fires once. */
    bool active;
};

static struct timer timers[TIMERS];
static uint16_t now;
static uint8_t active_count;

static void start(uint8_t which, uint16_t delay, bool repeat) {
    struct timer *timer = &timers[which];
    if (delay == 0 || delay > LONGEST)
        return;
    if (!timer->active)
        active_count++;
    timer->active = true;
    timer->due = (uint16_t)(now + delay);
    timer->period = repeat ? delay : 0;
}

static void expire(void) {
    for (uint8_t i = 0; i < TIMERS; i++) {
        struct timer *timer = &timers[i];
        if (!timer->active || (int16_t)(now - timer->due) < 0)
            continue;
        assert(now == timer->due);
        if (timer->period) {
            timer->due = (uint16_t)(timer->due + timer->period);
        } else {
            timer->active = false;
            active_count--;
        }
    }
}

int main(void) {
    for (;;) {
        uint8_t command = __VERIFIER_nondet_uchar();
        if (command & 0x80)
            start(command % TIMERS, __VERIFIER_nondet_ushort(), command & 0x40);
        now++;
        expire();
        assert(active_count <= TIMERS);
        if (timers[command % TIMERS].active)
            assert((uint16_t)(timers[command % TIMERS].due - now) <= LONGEST);
    }
}
