// kripke: check --interrupt tick --interrupt-if tick:i++ --check assertion
// verdict: error
// prints: cannot be evaluated at any time
static int i;
void tick(void)
{
}
int main(void)
{
    return i;
}
