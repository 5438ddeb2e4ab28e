// kripke: check --interrupt tick --check none
// verdict: holds
// ltl: same: G {same()}
static volatile int a;
static int same(void)
{
    int x = a;
    return x == a;
}
void tick(void)
{
    a = !a;
}
int main(void)
{
    for (;;)
        same();
}
