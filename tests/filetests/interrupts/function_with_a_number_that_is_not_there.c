// kripke: check --interrupt a:1:3 --interrupt-disable maks(n)
// verdict: error
// prints: that enables or disables interrupts; did you mean 'mask'?
void mask(int n)
{
    (void)n;
}
void a(void)
{
}
int main(void)
{
    mask(0);
    return 0;
}
