// kripke: check
// verdict: violated
// violates: assertion@38
// A pointer to one member leads to another one that the thread writes.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int nondet_int(void);
unsigned nondet_uint(void);
size_t nondet_size(void);
struct s {
    int a;
    int link;
    int shared;
};
static struct s arr[3];

static void *writer(void *unused)
{
    for (;;) {
        arr[1].shared = 1;
        arr[1].shared = 0;
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int *l = &arr[nondet_uint() % 3].link;
    struct s *s = (struct s *)((char *)l - offsetof(struct s, link));
    int *pointer = &s->shared;
    int first = *pointer, second = *pointer;
    assert(first == second);
    return 0;
}
