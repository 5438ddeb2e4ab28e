// kripke: check --all
// verdict: violated
// violates: precondition@13
// a declaration may leave out names, or have other ones, where its contract does not speak of them

static int ready;
int f(int, int (*)(int a), unsigned long count) __CPROVER_requires(ready && count < 5);
int f(int x, int (*g)(int), unsigned long count) { return g ? g(x) : (int)count; }

int main(void)
{
    ready = 1;
    return f(1, 0, 4) + f(1, 0, 5);
}
