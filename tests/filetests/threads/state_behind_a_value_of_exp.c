// kripke: check --check assertion --all
// verdict: violated
// violates: assertion@37
/* A state that no run comes to, as exp is never 0 there, stands for none that one comes to. */
#include <assert.h>
#include <math.h>
#include <pthread.h>
extern double __VERIFIER_nondet_double(void);
static int z, w;
static void *other(void *unused)
{
    (void)unused;
    z = 1;
    w = 1;
    return NULL;
}
int main(void)
{
    double x = __VERIFIER_nondet_double();
    double e = x > -10 && x < 10 ? exp(x) : 1;
    int is_zero = e == 0.0;
    x = 0;
    e = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    if (is_zero) {
    } else {
        z = 0;
        z = 0;
        z = 2;
        z = 0;
    }
    is_zero = 0;
    z = 0;
    w = 0;
    pthread_join(thread, NULL);
    assert(w == 2);
    return 0;
}
