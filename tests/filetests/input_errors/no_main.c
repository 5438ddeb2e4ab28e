// kripke: check
// verdict: error
// prints: main

int helper(void)
{
    return 1;
}
