// kripke: check --replace-calls last
// verdict: violated
// violates: postcondition@9
// By itself the function finds any errno, not that of the beginning.

#include <assert.h>
#include <errno.h>

static int last(void) __CPROVER_ensures(__CPROVER_return_value == 0)
{
    return errno;
}

int main(void)
{
    errno = 5;
    assert(last() == 0);
}
