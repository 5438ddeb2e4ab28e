// kripke: check --replace-calls inner
// verdict: holds

static int state;

static void inner(void) __CPROVER_assigns(state) __CPROVER_ensures(state == 1) { state = 1; }
static void outer(void) __CPROVER_assigns(state) { inner(); }

int main(void)
{
    outer();
}
