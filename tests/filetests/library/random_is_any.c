// kripke: check
// verdict: violated
// violates: assertion@10

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    assert(rand() != 12345);
    return 0;
}
