// kripke: check
// verdict: error
// exit: 3
// prints: `set` has a contract, and it names what it assigns under a condition

static int state;

static void set(int to) __CPROVER_assigns(to > 0: state) { state = to > 0 ? to : state; }

int main(void)
{
    set(1);
}
