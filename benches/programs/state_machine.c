/* A door controller driven by unknown events: it never moves while it is locked. */
#include <assert.h>
#ifndef N
#define N 20
#endif
unsigned char __VERIFIER_nondet_uchar(void);

enum state { CLOSED, OPENING, OPEN, CLOSING, LOCKED };
enum event { BUTTON, LIMIT, OBSTACLE, LOCK, UNLOCK };

int main(void) {
    enum state state = CLOSED;
    int motor = 0, opened = 0, closed = 0;
    for (int step = 0; step < N; step++) {
        enum event event = __VERIFIER_nondet_uchar() % 5;
        switch (state) {
        case CLOSED:
            if (event == BUTTON) { state = OPENING; motor = 1; }
            else if (event == LOCK) state = LOCKED;
            break;
        case OPENING:
            if (event == LIMIT) { state = OPEN; motor = 0; opened++; }
            break;
        case OPEN:
            if (event == BUTTON) { state = CLOSING; motor = -1; }
            break;
        case CLOSING:
            if (event == LIMIT) { state = CLOSED; motor = 0; closed++; }
            else if (event == OBSTACLE) { state = OPENING; motor = 1; }
            break;
        case LOCKED:
            if (event == UNLOCK) state = CLOSED;
            break;
        }
        assert(state != LOCKED || motor == 0);
        assert((motor == 1) == (state == OPENING));
        assert(closed <= opened);
    }
    return 0;
}
