// kripke: check --target thumbv7m-none-eabi --interrupt tick --check torn-access
// verdict: holds

static volatile struct { unsigned first : 3, second : 5; } flags;
void tick(void)
{
    flags.second = 3;
}
int main(void)
{
    __asm__ volatile("cpsid i");
    flags.first = 1;
    __asm__ volatile("cpsie i");
    return flags.second;
}
