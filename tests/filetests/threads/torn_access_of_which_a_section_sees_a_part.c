// kripke: check --target i386-linux-gnu --check torn-access
// verdict: violated
// violates: torn-access@14

#include <pthread.h>
#include <stdint.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static volatile uint64_t moment;

static void *writer(void *unused)
{
    moment = 5;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    __VERIFIER_atomic_begin();
    uint64_t now = moment;
    __VERIFIER_atomic_end();
    pthread_join(thread, 0);
    return now == 5;
}
