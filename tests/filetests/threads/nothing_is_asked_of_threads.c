// kripke: check --check assertion
// verdict: holds
// There is no assertion, and no more threads are started at one place than are followed.
#include <pthread.h>
#include <stdbool.h>

static volatile unsigned char events;
bool button(void);

static void *scan(void *unused)
{
    for (;;)
        if (button())
            events++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, scan, NULL);
    for (;;)
        events = 0;
}
