// kripke: check --all
// verdict: violated
// violates: precondition@19
// violates: precondition@20
// prints: x < MAX

#define MAX 5
int small(int x) __CPROVER_requires(x < MAX) { return x; }
#undef MAX
#define MAX 100

#define BEFORE(x) __CPROVER_old(x)
#define RESULT __CPROVER_return_value
int same(int x) __CPROVER_requires(x != 6) __CPROVER_ensures(RESULT == BEFORE(x)) { return x; }
#undef BEFORE

int main(void)
{
    int six = small(6);
    return same(six);
}
