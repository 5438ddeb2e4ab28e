// kripke: check --unwind 0
// verdict: error

int main(void)
{
    return 0;
}
