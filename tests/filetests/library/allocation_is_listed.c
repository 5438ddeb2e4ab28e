// kripke: check
// verdict: holds
// prints: malloc and its like succeed, also for 0 bytes

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *nothing = malloc(0);
    assert(nothing);
    free(nothing);
    return 0;
}
