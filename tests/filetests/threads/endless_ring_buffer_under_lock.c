// kripke: check
// verdict: holds
// prints: abstract states cover all states of the threads
// The address of an element is kept from one step to the next.
#include <assert.h>
#include <pthread.h>
#define SIZE 24
unsigned char byte(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char buffer[SIZE];
static unsigned head, tail, count, sum;
static void *producer(void *unused)
{
    (void)unused;
    for (;;) {
        unsigned char next = byte();
        pthread_mutex_lock(&lock);
        if (count < SIZE) {
            buffer[head] = next;
            head++;
            if (head == SIZE)
                head = 0;
            count++;
        }
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, producer, 0);
    for (;;) {
        pthread_mutex_lock(&lock);
        assert(count <= SIZE);
        if (count > 0) {
            sum = (sum + buffer[tail]) % 1000;
            tail = (tail + 1) % SIZE;
            count--;
        }
        assert(sum < 1000);
        pthread_mutex_unlock(&lock);
    }
}
