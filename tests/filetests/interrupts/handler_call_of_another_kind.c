// kripke: check --interrupt tick --check assertion
// verdict: holds
/* It is not in the default, nor asked. */
#include <stdlib.h>
void tick(void)
{
    free(malloc(2));
}
int main(void)
{
    assert(1 + 1 == 2);
    return 0;
}
