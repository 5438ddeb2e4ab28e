// kripke: check
// verdict: violated
// violates: assertion@35
// The address in a union is moved as a number: it may be that of the next object.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int nondet_int(void);
unsigned nondet_uint(void);
size_t nondet_size(void);
static int other, shared; union u { int *p; uintptr_t n; };

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
    union u u;
    u.p = &other;
    u.n += 4;
    int *pointer = u.p;
    if (pointer != &shared) return 0;
    int first = *pointer, second = *pointer;
    assert(first == second);
    return 0;
}
