// kripke: check
// verdict: holds

#include <assert.h>

enum color { RED, GREEN = 5, BLUE, ALIAS = GREEN };

int main(void)
{
    enum color c = BLUE;
    assert(c == 6 && ALIAS == 5 && RED == 0);
    c = (enum color)5;
    assert(c == GREEN);
    return 0;
}
