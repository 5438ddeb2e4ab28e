// kripke: check
// verdict: holds

int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int() & 3;
    if (x == 5)
        __VERIFIER_error();
    return 0;
}
