// kripke: check --check none
// verdict: holds
// ltl: order: G({done} -> {pressed})
// ltl: end: F({done} && {beside})

#include <pthread.h>

static int pressed, done, beside;

static void *button(void *unused)
{
    pressed = 1;
    done = 1;
    return unused;
}

static void *other(void *unused)
{
    beside = 1;
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, button, 0);
    pthread_create(&second, 0, other, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
