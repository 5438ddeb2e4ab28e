// kripke: check --interrupt tick --check none --unwind 2
// verdict: holds
// ltl: small: G {count <= 4}
int __VERIFIER_nondet_int(void);
static volatile int count;
void tick(void)
{
    int next = __VERIFIER_nondet_int();
    if (next <= 4)
        count = next;
}
int main(void)
{
    for (;;)
        ;
}
