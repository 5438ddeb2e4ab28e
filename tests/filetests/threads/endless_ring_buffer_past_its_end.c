// kripke: check
// verdict: violated
// violates: pointer@19
// The ring is thought to be longer than it is.
#include <assert.h>
#include <pthread.h>
#define SIZE 2
short item(void);
static short items[SIZE];
static short *volatile in = items, *volatile out = items;
static void *producer(void *unused)
{
    (void)unused;
    for (;;) {
        short *next = in + 1;
        if (next == items + SIZE + 1)
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
            if (next == items + SIZE + 1)
                next = items;
            out = next;
        }
}
