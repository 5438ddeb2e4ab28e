// kripke: check --check none
// verdict: violated
// ltl: p: G {*current < 5}
// violates: p

static int a, b = 9, *current = &a;
int main(void)
{
    current = &b;
    current = &a;
    return 0;
}
