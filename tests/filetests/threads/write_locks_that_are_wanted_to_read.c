// kripke: check --check lock-order
// verdict: violated
// violates: lock-order@24

#include <pthread.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;

static void *one(void *unused)
{
    pthread_rwlock_wrlock(&a);
    pthread_rwlock_rdlock(&b);
    pthread_rwlock_unlock(&b);
    pthread_rwlock_unlock(&a);
    return unused;
}

int main(void)
{
    pthread_t first;
    pthread_create(&first, NULL, one, NULL);
    pthread_join(first, NULL);
    pthread_rwlock_wrlock(&b);
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b);
    return 0;
}
