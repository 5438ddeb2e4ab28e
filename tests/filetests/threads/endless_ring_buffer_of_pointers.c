// kripke: check
// verdict: holds
// prints: abstract states cover all states of the threads
// Pointers into the ring go on from its end to its start.
#include <assert.h>
#include <pthread.h>
#define SIZE 20
short item(void);
static short items[SIZE];
static short *volatile in = items, *volatile out = items;
static void *producer(void *unused)
{
    (void)unused;
    for (;;) {
        short *next = in + 1;
        if (next == items + SIZE)
            next = items;
        if (next != out) {
            *in = item();
            in = next;
        }
    }
    return 0;
}
int main(void)
{
    long last = 0;
    pthread_t thread;
    pthread_create(&thread, 0, producer, 0);
    for (;;)
        if (out != in) {
            last = *out;
            assert(-32768 <= last && last <= 32767);
            short *next = out + 1;
            if (next == items + SIZE)
                next = items;
            out = next;
        }
}
