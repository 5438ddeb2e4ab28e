// kripke: check --replace-calls all
// verdict: holds

#include <assert.h>
#include <stdint.h>

enum { SIZE = 16 };
struct queue {
    uint8_t bytes[SIZE], head, count;
};

extern uint8_t __VERIFIER_nondet_uchar(void);

static struct queue in, out;

static void put(struct queue *queue, uint8_t byte)
    __CPROVER_requires(queue && queue->count < SIZE && queue->head < SIZE)
    __CPROVER_assigns(*queue)
    __CPROVER_ensures(queue->count == __CPROVER_old(queue->count) + 1 && queue->head < SIZE)
{
    queue->bytes[(queue->head + queue->count) % SIZE] = byte;
    queue->count++;
}

static uint8_t get(struct queue *queue)
    __CPROVER_requires(queue && queue->count > 0 && queue->count <= SIZE && queue->head < SIZE)
    __CPROVER_assigns(queue->head, queue->count)
    __CPROVER_ensures(queue->count < SIZE && queue->head < SIZE)
{
    uint8_t byte = queue->bytes[queue->head];
    queue->head = (queue->head + 1) % SIZE;
    queue->count--;
    return byte;
}

int main(void)
{
    for (;;) {
        if (in.count < SIZE)
            put(&in, __VERIFIER_nondet_uchar());
        if (in.count > 0 && out.count < SIZE)
            put(&out, get(&in));
        if (out.count > 4)
            get(&out);
        assert(in.count <= SIZE && out.count <= SIZE && in.head < SIZE);
    }
}
