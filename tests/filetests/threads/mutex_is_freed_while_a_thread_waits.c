// kripke: check
// verdict: violated
// violates: library-contract@13
#include <pthread.h>
#include <stdlib.h>
struct channel {
    pthread_mutex_t lock;
    int value;
};
static void *reader(void *of)
{
    struct channel *channel = of;
    pthread_mutex_lock(&channel->lock);
    channel->value++;
    pthread_mutex_unlock(&channel->lock);
    return 0;
}
int main(void)
{
    pthread_t thread;
    struct channel *channel = malloc(sizeof *channel);
    pthread_mutex_init(&channel->lock, 0);
    pthread_mutex_lock(&channel->lock);
    pthread_create(&thread, 0, reader, channel);
    free(channel);
    pthread_join(thread, 0);
    return 0;
}
