// kripke: check
// verdict: holds
// A queue whose buffer is too large to tell its elements apart: the counts beside it are known all the same.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static struct {
    unsigned short head, count;
    unsigned char data[300];
    unsigned char mode;
} queue;

static void put(unsigned char byte) {
    if (queue.count == sizeof queue.data)
        return;
    queue.data[(queue.head + queue.count) % sizeof queue.data] = byte;
    queue.count++;
}

static unsigned char take(void) {
    unsigned char byte = queue.data[queue.head];
    queue.head = (queue.head + 1) % sizeof queue.data;
    queue.count--;
    return byte;
}

int main(void) {
    for (;;) {
        put(__VERIFIER_nondet_uchar());
        if (queue.count > 0 && __VERIFIER_nondet_uchar() == 0)
            take();
        if (queue.mode == 2)
            queue.mode = 0;
        else if (__VERIFIER_nondet_uchar() == 1)
            queue.mode++;
        __VERIFIER_assert(queue.count <= sizeof queue.data && queue.mode <= 2);
    }
}
