// kripke: check --check leak --timeout 3s
// verdict: unknown

// What main leaves behind when it returns after many rounds is lost, which abstract states have to see: the
// end of the program lies outside the loop in which threads are chosen.
#include <pthread.h>
#include <stdlib.h>

int event(void);

static volatile int last;

static void *listen(void *unused)
{
    for (;;)
        last = event();
    return unused;
}

int main(void)
{
    pthread_t listener;
    pthread_create(&listener, NULL, listen, NULL);
    int *report = malloc(sizeof *report);
    for (int rounds = 0; rounds < 3000; rounds++)
        last = rounds;
    return report != NULL;
}
