// kripke: check
// verdict: violated
// violates: pointer@12

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        if (p)
            return *p;
        p = &(int){i};
    }
    return 0;
}
