// kripke: check --interrupt tick
// verdict: violated
// violates: pointer@8
int *p;
void tick(void)
{
    if (p)
        *p = 1;
}
static void lend(void)
{
    int local = 0;
    p = &local;
}
int main(void)
{
    lend();
    for (;;)
        ;
}
