/* Unknown puts and gets on a ring buffer: the count is right and values come out in order. */
#include <assert.h>
#ifndef N
#define N 10
#endif
#define SIZE 8
_Bool __VERIFIER_nondet_bool(void);

static unsigned char buffer[SIZE];
static unsigned head, tail, count;

static int put(unsigned char value) {
    if (count == SIZE)
        return 0;
    buffer[head] = value;
    head = (head + 1) % SIZE;
    count++;
    return 1;
}

static int get(unsigned char *value) {
    if (count == 0)
        return 0;
    *value = buffer[tail];
    tail = (tail + 1) % SIZE;
    count--;
    return 1;
}

int main(void) {
    unsigned char next_in = 0, next_out = 0;
    for (int step = 0; step < N; step++) {
        if (__VERIFIER_nondet_bool()) {
            if (put(next_in))
                next_in++;
        } else {
            unsigned char value;
            if (get(&value)) {
                assert(value == next_out);
                next_out++;
            }
        }
        assert(count <= SIZE);
        assert((unsigned char)(next_in - next_out) == count);
    }
    return 0;
}
