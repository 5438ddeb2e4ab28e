// kripke: check --target thumbv7m-none-eabi --interrupt tick --check torn-access
// verdict: holds
// What a handler reads in between is what stands there before and after.

static volatile struct { unsigned first : 3, second : 5; } flags;
static volatile unsigned seen;
void tick(void)
{
    seen = flags.second;
}
int main(void)
{
    flags.first = 1;
    return 0;
}
