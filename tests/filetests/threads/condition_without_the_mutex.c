// kripke: check
// verdict: violated
// violates: library-contract@10
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int main(void)
{
    pthread_cond_wait(&condition, &mutex);
    return 0;
}
