// kripke: check --check none --unwind 4 --no-lasso --no-k-induction
// verdict: unknown
// ltl: G({i % 2 == 0} -> F {i % 3 == 0})
// prints: ⊤ᵖ  ⊥ᵖ  ⊤ᵖ  ⊥ᵖ
// prints: presumably violated

unsigned i;
int main(void)
{
    while (1)
        i++;
}
