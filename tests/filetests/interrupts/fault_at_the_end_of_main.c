// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: assertion@8
#include <assert.h>
static int at;
void tick(void)
{
    assert(at == 0);
}
int main(void)
{
    at = 1;
    return 0;
}
