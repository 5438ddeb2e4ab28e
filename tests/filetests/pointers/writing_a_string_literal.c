// kripke: check
// verdict: violated
// violates: pointer@8

int main(void)
{
    char *text = "constant";
    text[0] = 'C';
    return 0;
}
