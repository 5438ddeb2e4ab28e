// kripke: check --check atomicity
// verdict: holds

#include <pthread.h>

static volatile int slot[2];
extern int any(void);

static void *other(void *unused)
{
    slot[1] = 5;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    int i = any() & 1;
    if (slot[0] == 0)
        slot[0] = i;
    pthread_join(thread, 0);
    return 0;
}
