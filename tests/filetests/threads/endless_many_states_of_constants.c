// Many abstract states: those that leave open what the threads write do not prove it, those that know which
// of few constants it is do.
// kripke: check
// verdict: holds
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int place[2], other[2];
static unsigned rounds;

static void *walks(void *number) {
    const long self = (long)number;
    while (1) {
        pthread_mutex_lock(&lock);
        place[self] = place[self] == 1 ? 3 : place[self] == 3 ? 5 : place[self] == 5 ? 7 : 1;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        rounds++;
        other[self] = place[self] * 2;
        assert(other[self] == 2 || other[self] == 6 || other[self] == 10 || other[self] == 14);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, walks, (void *)i);
    pthread_join(threads[0], 0);
}
