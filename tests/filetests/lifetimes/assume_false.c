// kripke: check
// verdict: violated
// violates: unreachable@11

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
#ifdef __clang__
    __builtin_assume(n > 3);
#endif
    return n;
}
