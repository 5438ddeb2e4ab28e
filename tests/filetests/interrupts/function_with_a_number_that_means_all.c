// kripke: check --interrupt a:1:255 --interrupt-disable mask(n,all=-1)
// verdict: error
// prints: in the 8 bits of the parameter
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
