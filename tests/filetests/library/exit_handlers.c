// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>
#include <stdlib.h>

static int open_files = 1;

static void check(void)
{
    assert(open_files == 0);
}

int main(void)
{
    atexit(check);
    return 0;
}
