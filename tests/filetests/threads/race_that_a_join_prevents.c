// kripke: check --check data-race
// verdict: holds

#include <pthread.h>

static int x;
static void *result;

static void *writes(void *unused)
{
    x = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    x = 2;
    pthread_create(&thread, 0, writes, 0);
    pthread_join(thread, &result);
    x = 3;
    return result != 0;
}
