// kripke: check
// verdict: holds
// No active timer runs longer than allowed, by its difference to a clock that wraps around.
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
        unsigned char which = __VERIFIER_nondet_uchar() % 3;
        unsigned short delay = __VERIFIER_nondet_ushort();
        if (delay > 0 && delay <= 1000) {
            timers[which].due = now + delay;
            timers[which].period = delay;
            timers[which].active = 1;
        }
        now++;
        for (int i = 0; i < 3; i++)
            if (timers[i].active && timers[i].due == now)
                timers[i].due += timers[i].period;
        __VERIFIER_assert(!timers[which].active || (unsigned short)(timers[which].due - now) <= 1000);
    }
}
