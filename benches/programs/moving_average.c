/* A moving average over unknown samples stays in their range; the running sum loses one sample on
   wrap-around, which an assertion notices. */
#include <assert.h>
#ifndef N
#define N 12
#endif
#define WINDOW 8
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int window[WINDOW] = {0};
    int sum = 0, at = 0;
    for (int i = 0; i < N; i++) {
        int sample = __VERIFIER_nondet_uchar();
        sum += sample;
        if (i != WINDOW)
            sum -= window[at];
        window[at] = sample;
        at = (at + 1) % WINDOW;
        int average = sum / WINDOW;
        assert(average >= 0);
        assert(average <= 255);
    }
    return 0;
}
