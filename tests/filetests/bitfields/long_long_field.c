// kripke: check
// verdict: holds

#include <assert.h>
unsigned long long nondet_ulonglong(void);

struct stamp {
    unsigned long long time : 40;
    unsigned long long id : 24;
};

int main(void)
{
    unsigned long long time = nondet_ulonglong();
    struct stamp s = {time, 0xabcdef};
    assert(s.id == 0xabcdef);
    assert(s.time == (time & 0xffffffffffULL));
    return 0;
}
