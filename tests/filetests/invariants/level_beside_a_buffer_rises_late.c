// kripke: check
// verdict: violated
// violates: assertion@23
// A level beside a buffer rises only when it is told to, and what depends on it changes late: from the state
// in which the loop is entered no iteration is seen to change it.
unsigned short __VERIFIER_nondet_ushort(void);
void __VERIFIER_assert(int);

static struct {
    unsigned char data[300];
    unsigned char level, high;
} tank;

int main(void) {
    for (;;) {
        unsigned short place = __VERIFIER_nondet_ushort();
        if (place < sizeof tank.data)
            tank.data[place] = 1;
        else if (place == 500 && tank.level < 9)
            tank.level++;
        if (tank.level == 9)
            tank.high = 1;
        __VERIFIER_assert(tank.high == 0);
    }
}
