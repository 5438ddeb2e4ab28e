// kripke: check
// verdict: holds

#include <assert.h>
_Bool nondet_bool(void);

int main(void)
{
    unsigned budget = 100;
    while (budget > 0) {
        assert(budget <= 100);
        if (nondet_bool())
            budget = 100;
        else
            budget--;
    }
    return 0;
}
