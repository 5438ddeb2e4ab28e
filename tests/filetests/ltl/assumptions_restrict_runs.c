// kripke: check --check none
// verdict: holds
// ltl: G {x < 10}

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
static int x;
int main(void)
{
    int y = __VERIFIER_nondet_int();
    __VERIFIER_assume(y >= 0 && y < 10);
    x = y;
    return 0;
}
