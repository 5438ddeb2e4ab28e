// kripke: check --interrupt tick --check atomicity
// verdict: violated
// violates: atomicity@14

unsigned nondet_uint(void);
static volatile int cells[4];
static volatile unsigned next;
void tick(void)
{
    cells[next & 3] = 0;
}
int main(void)
{
    cells[nondet_uint() & 3]++;
    return 0;
}
