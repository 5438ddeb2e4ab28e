// kripke: check
// verdict: holds

#include <assert.h>

int zero;
int one = 1;
static const double half = 0.5;
char text[] = "global";
int *pointer = &one;
struct {
    int a;
    const char *name;
} record = {3, "record"};

int main(void)
{
    assert(zero == 0 && one == 1 && half == 0.5);
    assert(text[6] == 0 && text[0] == 'g');
    *pointer = 2;
    assert(one == 2);
    assert(record.name[2] == 'c');
    return 0;
}
