// kripke: check --interrupt tick
// verdict: error
// prints: takes parameters
int t;
void tick(int by)
{
    t += by;
}
int main(void)
{
    return t;
}
