// kripke: check --check none
// verdict: violated
// ltl: p: G {x != 77}
// violates: p

int __VERIFIER_nondet_int(void);
static int x;
int main(void)
{
    x = __VERIFIER_nondet_int();
    return 0;
}
