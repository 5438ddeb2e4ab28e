// kripke: check
// verdict: violated
// violates: pointer@21

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = 0;
    switch (__VERIFIER_nondet_int()) {
        int w;
    case 1:
        w = 2;
        p = &w;
        break;
    case 2:
        w = 3;
        break;
    }
    if (p)
        return *p;
    return 0;
}
