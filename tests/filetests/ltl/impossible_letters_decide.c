// kripke: check --check none --unwind 1
// verdict: violated
// ltl: p: (F G {x == 0}) && (F G {x == 1})
// violates: p
// prints: left out

static int x;
int main(void)
{
    for (;;)
        x = 1 - x;
}
