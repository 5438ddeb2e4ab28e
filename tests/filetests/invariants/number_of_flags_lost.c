// kripke: check
// verdict: violated
// violates: assertion@25
// As number_of_flags.c, but a flag that is cleared twice is counted twice where all are set before.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static struct timer {
    unsigned short due;
    _Bool active;
} timers[2];
static unsigned char count;

int main(void) {
    for (;;) {
        unsigned char input = __VERIFIER_nondet_uchar();
        struct timer *timer = &timers[input & 1];
        if ((input & 4) && !timer->active) {
            timer->active = 1;
            count++;
        } else if ((input & 8) && (timer->active || count == 1)) {
            timer->active = 0;
            count--;
        }
        __VERIFIER_assert(!timers[0].active || !timers[1].active || count == 2);
    }
}
