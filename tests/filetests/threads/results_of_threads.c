// kripke: check
// verdict: holds
#include <assert.h>
#include <pthread.h>
static void *by_return(void *argument)
{
    return (int *)argument + 1;
}
static void *by_exit(void *argument)
{
    pthread_exit((int *)argument + 2);
}
int main(void)
{
    pthread_t a, b;
    void *one, *two;
    int numbers[3];
    pthread_create(&a, NULL, by_return, numbers);
    pthread_create(&b, NULL, by_exit, numbers);
    pthread_join(b, &two);
    pthread_join(a, &one);
    assert(one == numbers + 1);
    assert(two == numbers + 2);
    return 0;
}
