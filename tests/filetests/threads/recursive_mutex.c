// kripke: check
// verdict: holds
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex;
static int counter;
static void add(void)
{
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
}
static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    add();
    add();
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&a, NULL, work, NULL);
    add();
    pthread_join(a, NULL);
    assert(counter == 3);
    return 0;
}
