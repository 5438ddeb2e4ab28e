// kripke: check
// verdict: holds

#include <assert.h>

int shared;
int shared;
static int array[3];

int main(void)
{
    shared = 4;
    assert(shared == 4 && array[2] == 0);
    return 0;
}
