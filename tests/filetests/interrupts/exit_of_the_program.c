// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: assertion@9
#include <assert.h>
#include <stdlib.h>
static int at;
void tick(void)
{
    assert(at == 0);
}
int main(void)
{
    at = 1;
    exit(0);
}
