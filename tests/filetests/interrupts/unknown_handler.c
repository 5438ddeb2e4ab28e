// kripke: check --interrupt tik
// verdict: error
// prints: did you mean 'tick'
static volatile int t;
void tick(void)
{
    t = 1;
}
int main(void)
{
    return t;
}
