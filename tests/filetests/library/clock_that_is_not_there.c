// kripke: check
// verdict: violated
// violates: assertion@10
#include <assert.h>
#include <time.h>

int main(void)
{
    struct timespec now;
    assert(clock_gettime(999, &now) == 0);
    return 0;
}
