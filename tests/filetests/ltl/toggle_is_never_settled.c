// kripke: check --check none --unwind 5 --no-lasso --no-k-induction
// verdict: unknown
// ltl: G(({i % 2} -> F !{i % 2}) && (!{i % 2} -> F {i % 2}))
// prints: ⊥ᵖ  ⊥ᵖ  ⊥ᵖ  ⊥ᵖ  ⊥ᵖ

unsigned i;
int main(void)
{
    while (1)
        i++;
}
