// kripke: check
// verdict: violated
// violates: library-contract@8
#include <assert.h>
#include <pthread.h>
int main(void)
{
    pthread_join(pthread_self(), NULL);
    return 0;
}
