// kripke: check
// verdict: violated
// violates: assertion@8
#include <assert.h>
#include <pthread.h>
static pthread_t thread;
static void *work(void *unused) {
    assert(pthread_equal(thread, pthread_self()));
    return unused;
}
int main(void)
{
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
