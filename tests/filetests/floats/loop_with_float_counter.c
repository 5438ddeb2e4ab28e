// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>

int main(void)
{
    int steps = 0;
    for (double x = 0; x < 1.0; x += 0.1)
        steps++;
    assert(steps == 10);
    return 0;
}
