// kripke: check
// verdict: violated
// violates: pointer@23
// prints: the block of `v` has ended

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int *p = 0;
    if (n < 1 || n > 5)
        return 0;
    for (int i = 0; i < 2; i++) {
        int v[n];
        v[0] = i;
        p = v;
        if (i == 1)
            break;
        int w[n + 1];
        w[0] = v[0];
    }
    return *p;
}
