// kripke: check
// verdict: unknown
// prints: `pthread_exit`, which does not simply return

#include <assert.h>
void pthread_exit(void *result);

int main(void)
{
    pthread_exit(0);
    assert(0);
    return 0;
}
