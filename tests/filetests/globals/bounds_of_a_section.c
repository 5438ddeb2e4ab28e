// kripke: check
// verdict: unknown
// prints: the bound of a section of objects

#include <assert.h>

// The linker puts the objects of a section between these, in an order of its own.
extern int __start_table[], __stop_table[];
int first __attribute__((section("table"))) = 1;
int second __attribute__((section("table"))) = 2;

int main(void)
{
    assert(__start_table != &first);
    return 0;
}
