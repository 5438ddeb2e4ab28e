// kripke: check
// verdict: holds
#include <assert.h>
#include <pthread.h>
static pthread_spinlock_t lock;
static int counter;
static void *work(void *unused)
{
    pthread_spin_lock(&lock);
    counter++;
    pthread_spin_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, work, NULL);
    work(NULL);
    pthread_join(a, NULL);
    pthread_spin_destroy(&lock);
    assert(counter == 2);
    return 0;
}
