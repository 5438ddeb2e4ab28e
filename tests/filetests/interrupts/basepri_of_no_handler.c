// kripke: check --interrupt timer --interrupt-register-priority tiner=0x40
// verdict: error
// prints: there is no handler 'tiner'; did you mean 'timer'?
void timer(void)
{
}
int main(void)
{
    return 0;
}
