// kripke: check --target avr
// verdict: violated
// violates: overflow@12

int nondet_int(void);

int main(void)
{
    int seconds = nondet_int();
    if (seconds < 0 || seconds > 60)
        return 0;
    int milliseconds = seconds * 1000;
    return milliseconds < 0;
}
