// kripke: check --interrupt tick --interrupt-if tack:i --check assertion
// verdict: error
// prints: there is no handler 'tack'; did you mean 'tick'?
static volatile int i;
void tick(void)
{
}
int main(void)
{
    return i;
}
