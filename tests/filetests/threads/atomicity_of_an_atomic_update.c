// kripke: check --check atomicity
// verdict: holds

#include <pthread.h>
#include <stdatomic.h>

static atomic_int users;

static void *user(void *unused)
{
    atomic_fetch_add(&users, 1);
    atomic_fetch_sub(&users, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, user, 0);
    atomic_fetch_add(&users, 1);
    atomic_fetch_sub(&users, 1);
    pthread_join(thread, 0);
    return 0;
}
