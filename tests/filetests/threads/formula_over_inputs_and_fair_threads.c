// kripke: check --check none --fair weak
// verdict: unknown
// ltl: p: G F {g}

/* Which thread went on is not known of states that depend on inputs, so nothing definite is said. */
#include <pthread.h>
#include <semaphore.h>

int nondet_int(void);

static int x, g;
static sem_t full, empty;

static void *gives(void *unused)
{
    for (;;) {
        sem_wait(&empty);
        if (nondet_int()) {
            g = 1;
            g = 0;
        }
        x = nondet_int();
        sem_post(&full);
    }
    return unused;
}

static void *takes(void *unused)
{
    for (;;) {
        sem_wait(&full);
        int taken = x;
        x = 0;
        sem_post(&empty);
        if (taken == 5) {
            g = 1;
            g = 0;
        }
    }
    return unused;
}

int main(void)
{
    pthread_t one, other;
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 1);
    pthread_create(&one, 0, gives, 0);
    pthread_create(&other, 0, takes, 0);
    pthread_join(one, 0);
    return 0;
}
