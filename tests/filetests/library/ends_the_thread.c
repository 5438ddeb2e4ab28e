// kripke: check
// verdict: unknown
// prints: `pthread_kill`, which does not simply return

#include <assert.h>
int pthread_kill(unsigned long thread, int signal);

int main(void)
{
    pthread_kill(1, 9);
    assert(0);
    return 0;
}
