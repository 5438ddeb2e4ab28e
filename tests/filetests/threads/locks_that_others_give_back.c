// kripke: check --unwind 40
// verdict: holds
// Each waits for another one at times, and none for ever: chains that lead to one that goes on.
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_t first, second;
static int done;

static void *works(void *unused)
{
    pthread_mutex_lock(&a);
    done++;
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *passes_on(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    done++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void)
{
    pthread_create(&first, NULL, works, NULL);
    pthread_create(&second, NULL, passes_on, NULL);
    pthread_mutex_lock(&b);
    pthread_join(first, NULL);
    pthread_mutex_unlock(&b);
    pthread_join(second, NULL);
    return done != 2;
}
