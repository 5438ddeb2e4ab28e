// kripke: check --target i386-linux-gnu --check torn-access --all
// verdict: violated
// violates: torn-access@14
// violates: torn-access@22

#include <pthread.h>
#include <stdint.h>

struct point { uint32_t x, y; uint64_t moment; };
static struct point last;

static void *writer(void *unused)
{
    last.moment = 5;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    struct point seen = last;
    pthread_join(thread, 0);
    return seen.moment == 5;
}
