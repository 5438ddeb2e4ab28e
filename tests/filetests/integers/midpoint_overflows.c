// kripke: check
// verdict: violated
// violates: overflow@12

unsigned int nondet_uint(void);
void __VERIFIER_assume(int);

int main(void)
{
    int low = (int)(nondet_uint() / 2), high = (int)(nondet_uint() / 2);
    __VERIFIER_assume(low <= high);
    int middle = (low + high) / 2;
    return middle < 0;
}
