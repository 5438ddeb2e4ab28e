// kripke: check
// verdict: violated
// violates: bounds@11

int table[4];

int main(void)
{
    int i = 0;
    while (i < 4)
        __CPROVER_loop_invariant(0 <= i && i <= 4 && table[i] == 0)
    {
        i++;
    }
}
