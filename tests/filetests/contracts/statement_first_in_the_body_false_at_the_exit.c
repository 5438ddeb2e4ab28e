// kripke: check
// verdict: violated
// violates: loop-invariant@11

void __VERIFIER_loop_invariant(_Bool holds);

int main(void)
{
    int i = 0;
    while (i < 5 && i != 77) {
        __VERIFIER_loop_invariant(i < 5);
        i++;
    }
}
