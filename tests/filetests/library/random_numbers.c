// kripke: check
// verdict: holds

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    srand(1);
    int r = rand();
    assert(r >= 0 && r <= RAND_MAX);
    int die = r % 6 + 1;
    assert(die >= 1 && die <= 6);
    return 0;
}
