// kripke: check --check none
// verdict: holds
// ltl: mine: X {x == 1}
// ltl: other: F {y == 2}

static int x, y;
int main(void)
{
    y = 2;
    x = 1;
    return 0;
}
