// kripke: check
// verdict: holds

struct queue {
    unsigned head, tail;
    unsigned char bytes[8];
};

static unsigned char table[4][4];

static void push(struct queue *queue, unsigned char byte)
    __CPROVER_requires(queue->head < 8)
    __CPROVER_assigns(queue->bytes[queue->head], queue->head)
{
    queue->bytes[queue->head] = byte;
    queue->head = (queue->head + 1) % 8;
}

static void clear_row(unsigned row)
    __CPROVER_requires(row < 4)
    __CPROVER_assigns(table[row])
{
    for (unsigned i = 0; i < 4; i++)
        table[row][i] = 0;
}

extern unsigned nondet_uint(void);

int main(void)
{
    struct queue queue = {0};
    for (int i = 0; i < 9; i++)
        push(&queue, 1);
    unsigned row = nondet_uint();
    if (row < 4)
        clear_row(row);
}
