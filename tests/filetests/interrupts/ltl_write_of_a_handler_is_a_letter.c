// kripke: check --interrupt tick --check none
// verdict: violated
// ltl: never: G {count < 2}
// violates: never
static volatile int count;
void tick(void)
{
    count = 2;
    count = 0;
}
int main(void)
{
    for (;;)
        ;
}
