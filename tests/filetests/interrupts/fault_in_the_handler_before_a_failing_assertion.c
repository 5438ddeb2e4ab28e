// kripke: check --interrupt tick --check assertion --all
// verdict: violated
// violates: tick.assertion.1
// violates: main.assertion.1
#include <assert.h>
static int at;
void tick(void)
{
    assert(at == 0);
}
int main(void)
{
    at = 1;
    assert(0);
    return 0;
}
