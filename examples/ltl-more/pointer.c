/* A write through a pointer. The property speaks of `left` and `right`; the write never names them. */
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

int left = 0;
int right = 0;

static void drive(int *motor, int speed) {
    *motor = speed;
}

int main(void) {
    int *motor = __VERIFIER_nondet_bool() ? &left : &right;
    drive(motor, 5);
#ifdef SEED_OTHER
    motor = motor == &left ? &right : &left; /* the wrong one is stopped */
#endif
    drive(motor, 0);
    return 0;
}
