// kripke: check --interrupt tick --check none
// verdict: holds
// ltl: done: F {done}
static volatile int done, ticks;
void tick(void)
{
    ticks = !ticks;
}
int main(void)
{
    int seen = ticks;
    done = 1;
    return seen;
}
