// kripke: check --check none
// verdict: violated
// ltl: p: F {safe}
// violates: p
// prints: goes on for ever without a letter

static int safe;
int main(void)
{
    safe = 0;
    for (;;)
        ;
}
