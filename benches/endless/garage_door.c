// verdict: violated
// A garage door: after an obstacle while it opens the fault is shown, but the motor stays on.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

uint8_t __VERIFIER_nondet_uchar(void);

enum state { CLOSED, OPENING, OPEN, CLOSING, FAULT };
enum event { NONE, BUTTON, TOP, BOTTOM, OBSTACLE, RESET };

static enum state state;
static int8_t motor;
static bool lamp;
static uint8_t timer;
static uint8_t reversals;

static void run(enum state next, int8_t power) {
    state = next;
    motor = power;
    timer = power != 0 ? 60 : 0;
}

static void obstacle(void) {
    lamp = true;
    if (state == CLOSING && reversals < 3) {
        reversals++;
        run(OPENING, 1);
    } else if (state == CLOSING) {
        run(FAULT, 0);
    } else if (state == OPENING) {
        state = FAULT;
        timer = 0;
    }
}

static void handle(enum event event) {
    if (timer > 0 && --timer == 0)
        run(FAULT, 0);
    if (event == OBSTACLE) {
        obstacle();
    } else if (event == RESET && state == FAULT) {
        lamp = false;
        reversals = 0;
        run(CLOSING, -1);
    } else if (event == BUTTON && state == CLOSED) {
        run(OPENING, 1);
    } else if (event == BUTTON && state == OPEN) {
        run(CLOSING, -1);
    } else if (event == TOP && state == OPENING) {
        run(OPEN, 0);
    } else if (event == BOTTOM && state == CLOSING) {
        reversals = 0;
        run(CLOSED, 0);
    }
}

int main(void) {
    for (;;) {
        handle(__VERIFIER_nondet_uchar() % 6);
        assert(timer <= 60);
        assert(reversals <= 3);
        assert((state == OPENING || state == CLOSING) == (motor != 0));
        assert(state != OPENING || motor > 0);
    }
}
