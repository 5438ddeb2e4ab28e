// kripke: check --interrupt receive --check assertion
// verdict: violated
// violates: assertion@20
#include <assert.h>
struct uart {
    int count;
};
static struct uart one, two;
static void put(struct uart *uart)
{
    uart->count = 1;
}
void receive(void)
{
    put(&one);
}
static void use(struct uart *uart)
{
    uart->count = 0;
    assert(uart->count == 0);
}
int main(void)
{
    use(&two);
    use(&one);
    return 0;
}
