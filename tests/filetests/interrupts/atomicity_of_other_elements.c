// kripke: check --interrupt tick --check atomicity
// verdict: holds

unsigned nondet_uint(void);
static volatile int cells[4];
void tick(void)
{
    cells[3] = 0;
}
int main(void)
{
    cells[nondet_uint() & 1]++;
    return 0;
}
