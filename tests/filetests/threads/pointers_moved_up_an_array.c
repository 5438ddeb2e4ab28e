// kripke: check
// verdict: violated
// violates: assertion@36
// A pointer is moved from element to element of an array.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int nondet_int(void);
unsigned nondet_uint(void);
size_t nondet_size(void);
static int *p[4]; static int a, shared;

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
    p[0] = &shared;
    p[1] = p[2] = p[3] = &a;
    for (int i = 0;
    i < 2;
    i++) memmove(p + 1, p, 3 * sizeof *p);
    int *pointer = p[2];
    int first = *pointer, second = *pointer;
    assert(first == second);
    return 0;
}
