// kripke: check
// verdict: violated
// violates: assigns@6
// The callee writes; the second call gives it another object.

static void put(int *place) { *place = 3; }

static void one(int *first, int *second)
    __CPROVER_assigns(*first)
{
    put(second);
}

int main(void)
{
    int a, b;
    one(&a, &a);
    one(&a, &b);
}
