// kripke: check --check none
// verdict: holds
// ltl: F G {safe}

static int safe;
int main(void)
{
    safe = 0;
    safe = 1;
    for (;;)
        ;
}
