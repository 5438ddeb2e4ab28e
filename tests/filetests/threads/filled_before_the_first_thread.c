// kripke: check --check assertion
// verdict: holds
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;
#include <string.h>
static char text[16];
unsigned char many(void);
static void *work(void *unused)
{
    assert(text[15] == 0);
    text[0] = 'a';
    return unused;
}
int main(void)
{
    unsigned count = many() % 16;
    memset(text, 'b', count);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    char first = text[0];
    assert(first == 0 || first == 'a' || first == 'b');
    return 0;
}
