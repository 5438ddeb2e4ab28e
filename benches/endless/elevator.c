// verdict: holds
// An elevator with six floors: it moves only with closed doors and never past the first or last floor.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define FLOORS 6
#define DOOR_TICKS 8

uint8_t __VERIFIER_nondet_uchar(void);

enum motion { STOPPED, UP, DOWN };

static struct {
    unsigned requests : FLOORS;
    unsigned floor : 3;
    unsigned door_open : 1;
    unsigned motion : 2;
} lift;
static uint8_t door_timer;

static bool above(void) {
    return lift.requests >> (lift.floor + 1) != 0;
}

static bool below(void) {
    return (lift.requests & ((1u << lift.floor) - 1)) != 0;
}

static void open_door(void) {
    lift.motion = STOPPED;
    lift.door_open = 1;
    lift.requests &= ~(1u << lift.floor);
    door_timer = DOOR_TICKS;
}

static void choose(void) {
    if (above())
        lift.motion = UP;
    else if (below())
        lift.motion = DOWN;
    else
        lift.motion = STOPPED;
}

static void tick(bool blocked) {
    if (lift.door_open) {
        if (blocked)
            door_timer = DOOR_TICKS;
        else if (--door_timer == 0)
            lift.door_open = 0;
        return;
    }
    if (lift.requests >> lift.floor & 1) {
        open_door();
    } else if (lift.motion == STOPPED) {
        choose();
    } else {
        lift.motion == UP ? lift.floor++ : lift.floor--;
        if (lift.requests >> lift.floor & 1)
            open_door();
        else if (lift.motion == UP ? !above() : !below())
            choose();
    }
}

int main(void) {
    for (;;) {
        uint8_t input = __VERIFIER_nondet_uchar();
        if (input % 8 < FLOORS)
            lift.requests |= 1u << input % 8;
        tick(input & 0x80);
        assert(lift.floor < FLOORS);
        assert(!lift.door_open || lift.motion == STOPPED);
        assert(lift.motion != UP || lift.floor < FLOORS - 1);
        assert(lift.motion != DOWN || lift.floor > 0);
        assert(!lift.door_open || door_timer > 0);
        assert(door_timer <= DOOR_TICKS);
    }
}
