/* Writes to array elements: a queue of jobs, each of which must be done. The index is not a constant, so that
   a write may or may not concern the element that a property watches. */
#include <stdint.h>

uint8_t __VERIFIER_nondet_uchar(void);

#define JOBS 4

enum job { FREE, WAITING, DONE };

uint8_t jobs[JOBS];

int main(void) {
    uint8_t first = __VERIFIER_nondet_uchar() % JOBS;
    uint8_t second = __VERIFIER_nondet_uchar() % JOBS;
    jobs[first] = WAITING;
    jobs[second] = WAITING;
    jobs[first] = DONE;
#ifdef SEED_ONCE
    if (second < 2) {
        jobs[second] = DONE;
    }
#else
    jobs[second] = DONE;
#endif
    return 0;
}
