// kripke: check
// verdict: violated
// violates: precondition@15

int nondet_int(void);

#define REQUIRES(condition) __CPROVER_requires(condition)

static int half(int x) REQUIRES(x % 2 == 0) { return x / 2; }

int main(void)
{
    int x = nondet_int();
    if (x > 0)
        return half(x * 0 + 7);
    return 0;
}
