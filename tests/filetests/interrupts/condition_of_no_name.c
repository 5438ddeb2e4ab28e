// kripke: check --interrupt tick --interrupt-if tick:j --check assertion
// verdict: error
// prints: use of undeclared identifier 'j'
void tick(void)
{
}
int main(void)
{
    return 0;
}
