// kripke: check --check none
// verdict: violated
// ltl: first: F {x == 1}
// ltl: second: F {x == 2}
// ltl: third: G {x >= 0}
// violates: second
// prints: holds: first
// prints: holds: third

static int x;
int main(void)
{
    x = 1;
    return 0;
}
