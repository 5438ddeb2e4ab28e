// kripke: check
// verdict: holds

#include <assert.h>
#include <stddef.h>

struct link {
    struct link *next;
};
struct task {
    int priority;
    struct link link;
};

int main(void)
{
    struct task t = {5, {0}};
    struct link *l = &t.link;
    struct task *owner = (struct task *)((char *)l - offsetof(struct task, link));
    assert(owner == &t && owner->priority == 5);
    return 0;
}
