// kripke: check --target z80-none
// verdict: error

int main(void)
{
    return 0;
}
