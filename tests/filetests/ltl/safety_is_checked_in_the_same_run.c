// kripke: check --all
// verdict: violated
// ltl: p: F {done}
// violates: overflow@13
// prints: holds: p

int __VERIFIER_nondet_int(void);
static int done;
int main(void)
{
    int x = __VERIFIER_nondet_int();
    done = 1;
    return x + 1 > 0;
}
