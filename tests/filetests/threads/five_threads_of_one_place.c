// kripke: check
// verdict: holds
// Five threads that one loop starts, as in many an introduction.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 5

static void *says_hello(void *number)
{
    printf("thread %ld\n", (long)number);
    pthread_exit(NULL);
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long number = 0; number < THREADS; number++)
        if (pthread_create(&threads[number], NULL, says_hello, (void *)number) != 0)
            exit(1);
    pthread_exit(NULL);
}
