// kripke: check
// verdict: violated
// violates: pointer@13
// prints: the block of `x` has ended

int main(void)
{
    int *p;
    {
        int x = 1;
        p = &x;
    }
    return *p;
}
