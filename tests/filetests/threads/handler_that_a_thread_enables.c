// kripke: check --interrupt tick:1:7
// verdict: holds
// It comes only after its number was enabled, which a thread does when all is set up.
#include <assert.h>
#include <pthread.h>

void NVIC_EnableIRQ(int number);
void NVIC_DisableIRQ(int number);

static int *place;
static int object;

void tick(void) { *place = 1; }

static void *work(void *unused) {
    place = &object;
    NVIC_EnableIRQ(7);
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
