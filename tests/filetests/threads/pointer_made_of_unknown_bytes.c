// kripke: check
// verdict: violated
// violates: assertion@27
// A pointer that is put together of unknown bytes may be that of what another thread writes.
#include <assert.h>
#include <pthread.h>
unsigned char byte(void);

static int shared;
static void *writer(void *unused)
{
    for (;;) {
        shared = 1;
        shared = 0;
    }
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int *pointer;
    for (unsigned i = 0; i < sizeof pointer; i++)
        ((unsigned char *)&pointer)[i] = byte();
    if (pointer == &shared) {
        int first = *pointer, second = *pointer;
        assert(first == second);
    }
    return 0;
}
