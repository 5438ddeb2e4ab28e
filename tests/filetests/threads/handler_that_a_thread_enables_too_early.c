// kripke: check --interrupt tick:1:7
// verdict: violated
// violates: pointer@14
// It comes only after its number was enabled, which a thread does too early.
#include <assert.h>
#include <pthread.h>

void NVIC_EnableIRQ(int number);
void NVIC_DisableIRQ(int number);

static int *place;
static int object;

void tick(void) { *place = 1; }

static void *work(void *unused) {
    NVIC_EnableIRQ(7);
    place = &object;
    NVIC_DisableIRQ(7);
    int before = object;
    assert(before == object);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
