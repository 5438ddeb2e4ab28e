// kripke: check --interrupt a --interrupt-enable unlock
// verdict: error
// prints: there is no function 'unlock'
void a(void)
{
}
int main(void)
{
    return 0;
}
