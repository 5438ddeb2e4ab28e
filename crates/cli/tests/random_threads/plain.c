/* For Kripke: threads of POSIX. */
#include <pthread.h>
#include <semaphore.h>
void __VERIFIER_assert(int);
static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
#define R(place) (place)
#define W(place, value) ((place) = (unsigned char)((value)&3))
#define INCREMENT(place) ((place)++)
#define ADD(place) __atomic_fetch_add(&(place), 1, __ATOMIC_SEQ_CST)
#define LOCK(n) pthread_mutex_lock(&mutex[n])
#define UNLOCK(n) pthread_mutex_unlock(&mutex[n])
#define TRY(n) (pthread_mutex_trylock(&mutex[n]) == 0)
#define WAIT() pthread_cond_wait(&condition, &mutex[0])
#define SIGNAL() pthread_cond_signal(&condition)
#define BROADCAST() pthread_cond_broadcast(&condition)
#define TAKE() sem_wait(&semaphore)
#define POST() sem_post(&semaphore)
void __disable_irq(void);
void __enable_irq(void);
#define DISABLE() __disable_irq()
#define ENABLE() __enable_irq()
#define HANDLER void tick(void)
#define THREAD(name) static void *name(void *unused)
#define END return unused
#define CREATE(n, function) pthread_create(&thread[n], 0, function, 0)
#define JOIN(n) pthread_join(thread[n], 0)
#define MAIN int main(void)
#define BEGIN                                                                                             \
    pthread_t thread[2];                                                                                  \
    sem_init(&semaphore, 0, INITIAL)
#define END_OF_MAIN return 0
