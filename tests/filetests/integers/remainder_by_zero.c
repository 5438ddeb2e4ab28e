// kripke: check
// verdict: violated
// violates: division-by-zero@10

unsigned nondet_uint(void);

int main(void)
{
    unsigned slots = nondet_uint() & 7;
    return (int)(1234u % slots);
}
