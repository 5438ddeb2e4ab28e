// kripke: check --check none
// verdict: unknown
// ltl: F {stop}
// prints: presumably violated

static int stop;
static unsigned long long time;
int main(void)
{
    for (;;) {
        time++;
        if (time == 0xffffffffffffULL)
            stop = 1;
    }
}
