// kripke: check
// verdict: violated
// violates: bounds@16
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
unsigned char received(void);
static unsigned char ring[2], last;
static volatile unsigned char head, tail;
static void *receiver(void *unused)
{
    for (;;) {
        unsigned char next = head + 1;
        if (next == tail)
            continue;
        ring[head] = received();
        head = next;
    }
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, receiver, NULL);
    for (;;) {
        if (head == tail)
            continue;
        last = ring[tail];
        tail = (tail + 1) % 16;
    }
}
