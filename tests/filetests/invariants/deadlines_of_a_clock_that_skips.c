// kripke: check
// verdict: violated
// violates: assertion@29
// As deadlines_of_a_clock_that_wraps.c, but the clock may skip the tick at which a timer is due.
unsigned char __VERIFIER_nondet_uchar(void);
unsigned short __VERIFIER_nondet_ushort(void);
void __VERIFIER_assert(int);

static struct timer {
    unsigned short due, period;
    _Bool active;
} timers[3];
static unsigned short now;

int main(void) {
    for (;;) {
        unsigned char input = __VERIFIER_nondet_uchar(), which = input % 3;
        unsigned short delay = __VERIFIER_nondet_ushort();
        if (delay > 0 && delay <= 1000) {
            timers[which].due = now + delay;
            timers[which].period = delay;
            timers[which].active = 1;
        }
        now += input == 255 ? 2 : 1;
        for (int i = 0; i < 3; i++)
            if (timers[i].active && timers[i].due == now)
                timers[i].due += timers[i].period;
        unsigned short left = timers[which].due - now;
        __VERIFIER_assert(!timers[which].active || left <= 1000);
    }
}
