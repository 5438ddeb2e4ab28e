/* A heater controller that runs for ever: no loop bound can follow it to its end, induction can prove it. */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define COLD 180
#define HOT 220

uint16_t __VERIFIER_nondet_ushort(void);

enum state { IDLE, HEATING, FAULT };

int main(void) {
    enum state state = IDLE;
    bool relay = false;
    for (;;) {
        uint16_t temperature = __VERIFIER_nondet_ushort();
        switch (state) {
        case IDLE:
            if (temperature < COLD)
                state = HEATING;
            break;
        case HEATING:
            if (temperature > HOT)
                state = IDLE;
            if (temperature > 1000)
                state = FAULT;
            break;
        case FAULT:
            break;
        }
        relay = state == HEATING;
        assert(!relay || state != FAULT);
        assert(!relay || temperature <= HOT);
    }
}
