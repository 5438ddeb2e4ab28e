// kripke: check --interrupt receive --check assertion
// verdict: holds
#include <assert.h>
static struct {
    int shared, own;
} state;
void receive(void)
{
    state.shared = 1;
}
int main(void)
{
    state.own = 0;
    assert(state.own == 0);
    return state.shared;
}
