// kripke: check
// verdict: violated
// violates: assertion@21
#include <assert.h>
#include <pthread.h>
struct four {
    int a, b, c, d;
};
static struct four shared;
static void *work(void *unused)
{
    struct four new = {1, 1, 1, 1};
    shared = new;
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    struct four seen = shared;
    assert(seen.a == seen.d);
    pthread_join(a, NULL);
    return 0;
}
