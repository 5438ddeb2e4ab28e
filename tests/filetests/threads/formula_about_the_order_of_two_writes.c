// kripke: check --check none
// verdict: violated
// ltl: p: G({done} -> {pressed})
// violates: p

#include <pthread.h>

static int pressed, done;

static void *button(void *unused)
{
    pressed = 1;
    return unused;
}

static void *worker(void *unused)
{
    done = 1;
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, button, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
