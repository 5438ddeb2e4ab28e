// kripke: check
// verdict: violated
// violates: assigns@15
// The place is the one of before the call.

struct queue {
    unsigned head, tail;
    unsigned char bytes[8];
};

static void push(struct queue *queue, unsigned char byte)
    __CPROVER_assigns(queue->bytes[queue->head], queue->head)
{
    queue->head = (queue->head + 1) % 8;
    queue->bytes[queue->head] = byte;
}

int main(void)
{
    struct queue queue = {0};
    push(&queue, 1);
}
