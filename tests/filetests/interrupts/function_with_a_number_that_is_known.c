// kripke: check --interrupt a:1:3 --interrupt-disable NVIC_EnableIRQ(n)
// verdict: error
// prints: what `NVIC_EnableIRQ` does to interrupts is known
void NVIC_EnableIRQ(int n);
void a(void)
{
}
int main(void)
{
    NVIC_EnableIRQ(3);
    return 0;
}
