// Numbers of a thread that seem to be within bounds: each of the additions overflows for some input.
// kripke: check --all
// verdict: violated
// violates: overflow@22
// violates: overflow@25
// violates: overflow@29
// violates: overflow@33
// violates: overflow@36
#include <limits.h>
#include <pthread.h>
int any(void);
unsigned any_unsigned(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static void publish(int value) { pthread_mutex_lock(&lock); shared = value; pthread_mutex_unlock(&lock); }
static void *thread(void *unused)
{
    int number = any(), copy = number;
    if (copy < 4) {
        number = any();
        publish(1);
        publish(number + 1);
    } else if (copy > 8) {
        publish(2);
        publish(number + 1);
    } else if (copy == 5) {
        int large = (unsigned)any_unsigned() < 4u ? 3 : INT_MAX;
        publish(3);
        publish(large + 1);
    } else if (copy == 6) {
        int low = any();
        if ((unsigned)low > 4u) publish(4);
        publish(low - 1);
    } else if (copy == 7) {
        int step = any();
        for (int i = step; i < 8; i += 4) publish(i - 8);
    }
    return unused;
}
int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, thread, 0);
    pthread_join(id, 0);
    return 0;
}
