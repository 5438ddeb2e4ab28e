// kripke: check --target x86_64-linux-gnu
// verdict: holds

long nondet_long(void);

int main(void)
{
    long micros = nondet_long();
    if (micros < 0 || micros > 5000)
        return 0;
    return micros * 1000000 < 0;
}
