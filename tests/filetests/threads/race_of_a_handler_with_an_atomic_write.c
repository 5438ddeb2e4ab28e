// kripke: check --interrupt tick --check data-race
// verdict: violated
// violates: data-race@9
// One of the two accesses is atomic; that handlers run at once does not make theirs so.
#include <pthread.h>

static int n;

void tick(void) { n = 1; }

static void *work(void *unused) { __atomic_store_n(&n, 2, __ATOMIC_SEQ_CST); return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
}
