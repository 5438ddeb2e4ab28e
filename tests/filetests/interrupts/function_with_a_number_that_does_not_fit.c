// kripke: check --interrupt a:1:300 --interrupt-disable mask(n)
// verdict: error
// prints: the number 300 does not fit the 8 bits
void mask(unsigned char n)
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
