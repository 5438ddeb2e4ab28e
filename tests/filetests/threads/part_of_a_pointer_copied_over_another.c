// kripke: check
// verdict: violated
// violates: assertion@35
// So many bytes of one pointer are copied over another: the result may be either.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int nondet_int(void);
unsigned nondet_uint(void);
size_t nondet_size(void);
static int other, shared; static int *p = &other, *q = &shared;

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
    size_t n = nondet_size();
    if (n > 8) return 0;
    memcpy(&p, &q, n);
    int *pointer = p;
    if (pointer != &shared) return 0;
    int first = *pointer, second = *pointer;
    assert(first == second);
    return 0;
}
