// kripke: check
// verdict: holds

#include <assert.h>
#include <stddef.h>

struct mixed {
    char a;
    int b;
    char c;
    double d;
};

struct __attribute__((packed)) tight {
    char a;
    int b;
};

int main(void)
{
    assert(offsetof(struct mixed, b) == 4);
    assert(offsetof(struct mixed, d) == 16);
    assert(sizeof(struct mixed) == 24);
    assert(sizeof(struct tight) == 5);
    struct tight t = {1, 0x11223344};
    assert(((unsigned char *)&t)[1] == 0x44);
    return 0;
}
