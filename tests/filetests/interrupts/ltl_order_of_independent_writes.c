// kripke: check --interrupt tick --check none
// verdict: violated
// ltl: order: G({a == 2} -> {b == 0})
// violates: order
/* The handler and main share nothing but what the formula looks at. */
static volatile int a, b;
void tick(void)
{
    b = 1;
}
int main(void)
{
    a = 1;
    a = 2;
    a = 3;
    return 0;
}
