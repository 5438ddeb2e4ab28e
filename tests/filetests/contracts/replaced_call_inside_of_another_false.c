// kripke: check --replace-calls inner
// verdict: violated
// violates: assigns@8

static int state;

static void inner(void) __CPROVER_assigns(state) __CPROVER_ensures(state == 1) { state = 1; }
static void outer(void) __CPROVER_assigns() { inner(); }

int main(void)
{
    outer();
}
