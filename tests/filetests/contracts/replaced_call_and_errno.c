// kripke: check --replace-calls all
// verdict: violated
// violates: assertion@19
// What the models of the C library keep has any value behind a call that is replaced.

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

static int number(void) __CPROVER_assigns()
{
    return strtol("99999999999999999999", 0, 10) > 3;
}

int main(void)
{
    errno = 0;
    number();
    assert(errno == 0);
}
