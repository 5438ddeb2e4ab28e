// kripke: check
// verdict: violated
// violates: assertion@27
// As deadlines_of_a_clock_that_wraps.c, but a period may be too long, which shows when it runs out.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static struct timer {
    unsigned short due, period;
    _Bool active;
} timers[3];
static unsigned short now;

int main(void) {
    for (;;) {
        unsigned char which = __VERIFIER_nondet_uchar() % 3, delay = __VERIFIER_nondet_uchar();
        if (delay > 0 && delay <= 5) {
            timers[which].due = now + delay;
            timers[which].period = delay + 1;
            timers[which].active = 1;
        }
        now++;
        for (int i = 0; i < 3; i++)
            if (timers[i].active && timers[i].due == now)
                timers[i].due += timers[i].period;
        unsigned short left = timers[which].due - now;
        __VERIFIER_assert(!timers[which].active || left <= 5);
    }
}
