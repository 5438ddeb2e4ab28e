// kripke: check
// verdict: violated
// violates: overflow@11

signed char nondet_schar(void);

int main(void)
{
    _BitInt(12) x = 2000;
    _BitInt(12) y = nondet_schar();
    return x + y > 0;
}
