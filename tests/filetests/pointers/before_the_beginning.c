// kripke: check
// verdict: violated
// violates: pointer@13

int nondet_int(void);

int main(void)
{
    char text[4] = "abc";
    char *p = text;
    if (nondet_int() > 0)
        p--;
    return *p;
}
