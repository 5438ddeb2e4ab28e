// kripke: check
// verdict: holds

#include <assert.h>
unsigned char nondet_uchar(void);
_Bool nondet_bool(void);
#define SIZE 4

static unsigned char data[SIZE];
static unsigned head, tail;

static int put(unsigned char c)
{
    if (head - tail == SIZE)
        return 0;
    data[head++ % SIZE] = c;
    return 1;
}

static int get(unsigned char *c)
{
    if (head == tail)
        return 0;
    *c = data[tail++ % SIZE];
    return 1;
}

int main(void)
{
    unsigned expected = 0, next = 0;
    for (int i = 0; i < 8; i++) {
        if (nondet_bool()) {
            next += put((unsigned char)next);
        } else {
            unsigned char c;
            if (get(&c))
                assert(c == expected++);
        }
        assert(head - tail <= SIZE);
    }
    return 0;
}
