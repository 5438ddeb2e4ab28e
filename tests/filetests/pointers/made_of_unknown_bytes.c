// kripke: check
// verdict: violated
// violates: assertion@17

#include <assert.h>
extern char __VERIFIER_nondet_char(void);
static int some;
static struct {
    int f;
    void *bar;
} o;
int main(void)
{
    char *c = (char *)&o;
    for (unsigned i = 0; i < sizeof o; i++)
        c[i] = __VERIFIER_nondet_char();
    assert(o.bar != &some);
    return 0;
}
