// kripke: check --interrupt tick --check none
// verdict: violated
// ltl: comes: F {flag == 1}
// violates: comes
static volatile int flag;
void tick(void)
{
    flag = 1;
}
int main(void)
{
    while (!flag)
        ;
    return 0;
}
