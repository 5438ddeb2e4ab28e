// kripke: check
// verdict: holds
#include <assert.h>
#include <threads.h>
static mtx_t mutex;
static int counter;
static int work(void *argument)
{
    mtx_lock(&mutex);
    counter++;
    mtx_unlock(&mutex);
    return *(int *)argument;
}
int main(void)
{
    thrd_t a, b;
    int one = 1, two = 2, first, second;
    mtx_init(&mutex, mtx_plain);
    thrd_create(&a, work, &one);
    thrd_create(&b, work, &two);
    thrd_join(a, &first);
    thrd_join(b, &second);
    mtx_destroy(&mutex);
    assert(first == 1 && second == 2 && counter == 2);
    return 0;
}
