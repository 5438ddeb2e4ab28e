// kripke: check
// verdict: holds

#include <assert.h>

static _Thread_local int mine = 3;

int main(void)
{
    mine++;
    assert(mine == 4);
    return 0;
}
