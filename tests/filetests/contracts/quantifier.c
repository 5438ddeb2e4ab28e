// kripke: check
// verdict: error
// exit: 3
// prints: quantifiers (__CPROVER_forall) are not supported

int main(void)
{
    int table[3];
    for (int i = 0; i < 3; i++)
        __CPROVER_loop_invariant(__CPROVER_forall { int k; (0 <= k && k < i) ==> table[k] == 0 })
    {
        table[i] = 0;
    }
}
