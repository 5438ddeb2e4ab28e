// kripke: check --interrupt tick --interrupt-if tick:a[i] --check bounds
// verdict: violated
// violates: bounds@1
/* What the condition does wrong is found. */
static volatile int i;
static int a[4];
void tick(void)
{
}
int main(void)
{
    i = 9;
    return 0;
}
