// kripke: check --interrupt tick --check assertion --target thumbv7m-none-eabi
// verdict: violated
// violates: assertion@15
/* A handler that raises BASEPRI and leaves it so may come between two reads. */
#include <assert.h>
unsigned __get_BASEPRI(void);
void __set_BASEPRI(unsigned mask);
void tick(void)
{
    __set_BASEPRI(0x40);
}
int main(void)
{
    unsigned first = __get_BASEPRI();
    assert(first == __get_BASEPRI());
    return 0;
}
