// kripke: check
// verdict: holds

#include <assert.h>
unsigned nondet_uint(void);

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }

int main(void)
{
    static int (*const table[])(int, int) = {add, subtract, multiply};
    unsigned which = nondet_uint() % 3;
    int r = table[which](6, 3);
    assert(r == 9 || r == 3 || r == 18);
    assert((which == 2) == (r == 18));
    return 0;
}
