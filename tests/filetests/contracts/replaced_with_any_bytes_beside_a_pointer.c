// kripke: check --replace-calls all --all
// verdict: violated
// violates: postcondition@20
// violates: postcondition@25
// violates: postcondition@30
// violates: postcondition@35
// Bit-fields, unions, long arrays and volatile objects have any values, with pointers beside them, too.

#include <assert.h>

static struct {
    const char *name;
    unsigned set : 1;
} field;
static union { const char *name; long number; } either;
static const char *names[100];
static volatile union { int number; char bytes[4]; } shared;

static int flag(void)
    __CPROVER_ensures(__CPROVER_return_value == 0)
{
    return field.set;
}
static int number(void)
    __CPROVER_ensures(__CPROVER_return_value == 0)
{
    return either.number != 0;
}
static int name(unsigned at)
    __CPROVER_ensures(__CPROVER_return_value == 0)
{
    return names[at % 100] != 0;
}
static int byte(void)
    __CPROVER_ensures(__CPROVER_return_value == 0)
{
    return shared.number != 0;
}

int main(void)
{
    field.name = "a";
    field.set = 1;
    either.number = 1;
    names[7] = field.name;
    shared.number = 1;
    return flag() + number() + name(7) + byte();
}
