// kripke: check
// verdict: violated
// violates: assertion@11

int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assert((x & 1) == 0 || x < 1000);
    return 0;
}
