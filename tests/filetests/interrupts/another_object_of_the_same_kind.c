// kripke: check --interrupt receive --check assertion
// verdict: holds
#include <assert.h>
struct uart {
    int count;
};
static struct uart one, two;
void receive(void)
{
    one.count = 1;
}
static void use(struct uart *uart)
{
    uart->count = 0;
    assert(uart->count == 0);
}
int main(void)
{
    use(&two);
    return one.count;
}
