// kripke: check --check none
// verdict: violated
// ltl: p: G {*current < 5}
// violates: p

static int a, *current = &a;
int main(void)
{
    int local = 0;
    current = &local;
    local = 9;
    current = &a;
    return 0;
}
