// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: assertion@18
/* A static local makes the function unfit to be called by a handler, too. */
#include <assert.h>
static int next(int step)
{
    static int held;
    held = step;
    return held;
}
void tick(void)
{
    next(7);
}
int main(void)
{
    assert(next(3) == 3);
    return 0;
}
