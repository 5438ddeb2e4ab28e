// kripke: check
// verdict: holds

#include <assert.h>
#include <errno.h>

int main(void)
{
    errno = EINVAL;
    assert(errno == EINVAL);
    errno = 0;
    assert(errno == 0);
    return 0;
}
