// kripke: check
// verdict: violated
// violates: precondition@15
// ltl: F({state == 2})

int state;

static void go(int to) __CPROVER_requires(to < 2)
{
    state = to;
}

int main(void)
{
    go(2);
}
