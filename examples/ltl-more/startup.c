/* A start-up in the right order: clock before radio, radio before the first packet. One `until` for each. */
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

enum step { RESET, CLOCK, RADIO, READY };

static enum step step = RESET;
static int packets = 0;

int main(void) {
    step = CLOCK;
    step = RADIO;
#ifdef SEED_EARLY
    if (__VERIFIER_nondet_bool()) {
        packets++; /* a greeting, before anybody listens */
    }
#endif
    step = READY;
    while (1) {
        if (__VERIFIER_nondet_bool() && packets < 3) {
            packets++;
        }
    }
}
