// kripke: check
// verdict: violated
// violates: assertion@26
// The address in a pointer is changed where it lies, as an integer: it may be that of the next object.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int other, shared;
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
    int *pointer = &other;
    *(uintptr_t *)&pointer += sizeof other;
    if (pointer == &shared) {
        int first = *pointer, second = *pointer;
        assert(first == second);
    }
    return 0;
}
