/* Two clerks book seats. Each access is under the lock, so there is no data race; but who has looked does not
 * know any more what is left when it books. */

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seats = 2;

static int free_seats(void)
{
    int left;
    pthread_mutex_lock(&lock);
    left = seats;
    pthread_mutex_unlock(&lock);
    return left;
}

static int book(void)
{
#ifndef ONE_SECTION
    int left = free_seats();
    if (left > 0) {
        pthread_mutex_lock(&lock);
        seats = left - 1;
        pthread_mutex_unlock(&lock);
    }
    return left > 0;
#else
    int left;
    pthread_mutex_lock(&lock);
    left = seats;
    if (left > 0)
        seats = left - 1;
    pthread_mutex_unlock(&lock);
    return left > 0;
#endif
}

static void *clerk(void *booked)
{
    *(int *)booked = book();
    return 0;
}

int main(void)
{
    pthread_t first, second;
    int booked[2];
    pthread_create(&first, 0, clerk, &booked[0]);
    pthread_create(&second, 0, clerk, &booked[1]);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return booked[0] + booked[1];
}
