// kripke: check --target i386-linux-gnu --check torn-access
// verdict: holds

#include <pthread.h>
#include <stdint.h>

struct point { uint32_t x, y; };
static struct point last;

static void *writer(void *unused)
{
    last.y = 5;
    last.x = 4;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    struct point seen = last;
    pthread_join(thread, 0);
    return seen.x == 5;
}
