// kripke: check
// verdict: violated
// violates: assertion@16

#include <assert.h>

union number {
    float real;
    int integer;
};

int main(void)
{
    union number n;
    n.real = 1.0f;
    assert(n.integer == 1);
    return 0;
}
