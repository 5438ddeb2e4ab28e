// kripke: check --interrupt a
// verdict: error
// prints: not checked together with interrupts
void __VERIFIER_loop_invariant(int);
void a(void)
{
}
int main(void)
{
    for (int i = 0; i < 3; i++)
        __VERIFIER_loop_invariant(i < 3);
    return 0;
}
