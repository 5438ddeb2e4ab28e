// kripke: check
// verdict: holds

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static sem_t full, empty;
static int slot;

static void copy(void *to, const void *from)
{
    memcpy(to, from, sizeof(int));
}

static void *sender(void *unused)
{
    for (;;) {
        int value = 3;
        sem_wait(&empty);
        copy(&slot, &value);
        sem_post(&full);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 1);
    pthread_create(&thread, NULL, sender, NULL);
    for (;;) {
        int value;
        sem_wait(&full);
        copy(&value, &slot);
        assert(value == 3);
        sem_post(&empty);
    }
}
