// kripke: check --check none
// ltl: never: G(!{p==&a})
// ltl: idle: G({state==idle})
// verdict: violated
// violates: never
// violates: idle

static void idle(void)
{
}
static void run(void)
{
}
int a, *p;
void (*state)(void) = idle;
int main(void)
{
    p = &a;
    state = run;
    state();
    return 0;
}
