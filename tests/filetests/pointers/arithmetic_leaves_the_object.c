// kripke: check --check +pointer-arithmetic --all
// verdict: violated
// violates: pointer-arithmetic@20
// violates: pointer-arithmetic@22

// Moving a pointer out of its object is an error of its own, although nobody follows it.
extern int __VERIFIER_nondet_int(void);
static int a[4];
static volatile unsigned *const uart = (volatile unsigned *)0x40001000;
struct pair {
    int x, y;
};
int main(void)
{
    int *first = a, *end = first + 4;
    end[-1] = 1;
    unsigned status = uart[3];
    (void)status;
    if (__VERIFIER_nondet_int())
        first = first - 1;
    struct pair pair, *p = &pair;
    p += __VERIFIER_nondet_int() ? 2 : 1;
    return first == a && p == &pair;
}
