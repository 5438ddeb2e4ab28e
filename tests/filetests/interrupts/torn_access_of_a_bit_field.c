// kripke: check --target thumbv7m-none-eabi --interrupt tick --check torn-access
// verdict: violated
// violates: torn-access@13
// prints: before what this write to a bit-field has read is written

static volatile struct { unsigned first : 3, second : 5; } flags;
void tick(void)
{
    flags.second = 3;
}
int main(void)
{
    flags.first = 1;
    return 0;
}
