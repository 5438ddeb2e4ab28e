// kripke: check --check none
// verdict: violated
// ltl: p: G {jobs[2] == 0}
// violates: p

int __VERIFIER_nondet_int(void);
static int jobs[4];
int main(void)
{
    unsigned which = (unsigned)__VERIFIER_nondet_int() % 4;
    jobs[which] = 1;
    jobs[which] = 0;
    return 0;
}
