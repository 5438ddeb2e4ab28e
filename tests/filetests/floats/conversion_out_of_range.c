// kripke: check
// verdict: violated
// violates: float-cast@11

float nondet_float(void);

int main(void)
{
    float volts = nondet_float();
    if (volts >= 0)
        return (unsigned char)volts > 3;
    return 0;
}
