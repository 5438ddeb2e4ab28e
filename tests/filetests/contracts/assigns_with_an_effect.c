// kripke: check
// verdict: error
// exit: 3
// prints: this contract of `set` has a side effect: it writes to an object

static int state, cells[4];

static void set(int to) __CPROVER_assigns(cells[state++]) { cells[0] = to; }

int main(void)
{
    set(1);
}
