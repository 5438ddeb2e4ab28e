// kripke: check --check none
// verdict: holds
// ltl: G({state == RUNNING} -> {power > LIMIT})

#define LIMIT 3
enum state { IDLE, RUNNING };
static enum state state;
static int power;
int main(void)
{
    power = LIMIT + 1;
    state = RUNNING;
    return 0;
}
