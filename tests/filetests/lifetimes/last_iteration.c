// kripke: check
// verdict: violated
// violates: pointer@13

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *saved = 0;
    for (int i = 0; i < 3; i++) {
        int x;
        if (saved && __VERIFIER_nondet_int())
            return *saved;
        x = i;
        saved = &x;
    }
    return 0;
}
