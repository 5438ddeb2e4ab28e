// kripke: check --check none
// verdict: holds
// ltl: F {j == 3}
// prints: whatever comes after

static int j;
int main(void)
{
    for (;;)
        j++;
}
