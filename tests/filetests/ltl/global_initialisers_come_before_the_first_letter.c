// kripke: check --check none
// verdict: holds
// ltl: {x == 7} && G {x == 7}

static int x = 7;
int main(void)
{
    return 0;
}
