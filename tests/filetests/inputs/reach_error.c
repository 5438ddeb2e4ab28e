// kripke: check
// verdict: violated
// violates: assertion@11

int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void)
{
    if (__VERIFIER_nondet_int() == 5)
        reach_error();
    return 0;
}
