// kripke: check
// verdict: holds
// The thread writes one member of each element and moves pointers in another: `main` reads a third.
#include <assert.h>
#include <pthread.h>

struct element {
    int *at;
    int written;
    int read;
};

static struct element elements[3];

static void *writer(void *unused)
{
    for (int i = 0;; i = (i + 1) % 3) {
        elements[i].written = i;
        elements[i].at = &elements[i].written;
        *elements[i].at = 5;
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    for (int i = 0;; i = (i + 1) % 3) {
        int first = elements[i].read, second = elements[i].read;
        assert(first == second);
        elements[i].read = (first + 1) % 4;
    }
    return 0;
}
