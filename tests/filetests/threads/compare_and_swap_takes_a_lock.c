// kripke: check
// verdict: holds
#include <assert.h>
#include <pthread.h>
static int lock, inside;
static void *work(void *unused)
{
    if (__sync_bool_compare_and_swap(&lock, 0, 1)) {
        inside++;
        assert(inside == 1);
        inside--;
        __sync_lock_release(&lock);
    }
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
