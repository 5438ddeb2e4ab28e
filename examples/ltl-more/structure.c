/* Writes to the fields of a structure, one by one and as a whole. */
#include <stdbool.h>
#include <stdint.h>

bool __VERIFIER_nondet_bool(void);

struct motor {
    uint8_t speed;
    bool brake;
};

static struct motor motor = {0, true};

static void set(struct motor *which, struct motor value) {
    *which = value;
}

int main(void) {
    struct motor fast = {9, false};
    struct motor stopped = {0, true};
    while (1) {
        if (__VERIFIER_nondet_bool()) {
            set(&motor, fast);
        } else {
#ifdef SEED_ORDER
            motor.brake = true; /* while it still turns */
            motor.speed = 0;
#else
            motor.speed = 0;
            motor.brake = true;
#endif
        }
        if (__VERIFIER_nondet_bool()) {
            set(&motor, stopped);
        }
    }
}
