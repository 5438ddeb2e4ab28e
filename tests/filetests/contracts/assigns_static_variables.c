// kripke: check
// verdict: holds
// Static variables of the function and of what it calls need no name, however they are written.

#include <assert.h>
#include <stdlib.h>

static int next(unsigned at)
{
    static int ring[4];
    return ++ring[at % 4];
}

static int count(int which) __CPROVER_assigns()
{
    if (which) {
        static int calls;
        int *place = &calls;
        return ++*place;
    } else {
        static int calls, *place = &calls;
        *place += 2;
        getenv("HOME");
        return next((unsigned)*place);
    }
}

int main(void)
{
    assert(count(1) == 1);
    assert(count(0) == 1);
    assert(count(1) == 2);
}
