// kripke: check
// verdict: holds
// A variable counts the elements whose flag is set.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static struct timer {
    unsigned short due;
    _Bool active;
} timers[4];
static unsigned char count;

int main(void) {
    for (;;) {
        unsigned char input = __VERIFIER_nondet_uchar();
        struct timer *timer = &timers[input & 3];
        timer->due = input;
        if ((input & 4) && !timer->active) {
            timer->active = 1;
            count++;
        } else if ((input & 8) && timer->active) {
            timer->active = 0;
            count--;
        }
        __VERIFIER_assert(count <= 4);
        __VERIFIER_assert(!timer->active || count > 0);
    }
}
