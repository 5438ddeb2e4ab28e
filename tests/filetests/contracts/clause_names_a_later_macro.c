// kripke: check --all
// verdict: violated
// violates: precondition@24
// violates: postcondition@25
// violates: precondition@26

enum { least = 5 };
typedef int length;
static int twice(int v) { return 2 * v; }

int above(int x) __CPROVER_requires(x > least) { return x; }

int doubled(int v) __CPROVER_ensures(__CPROVER_return_value == twice(v)) { return v + v + (v == 3); }

int fits(int x) __CPROVER_requires(x <= (int)sizeof(length)) { return x; }

#define least (-100)
#define twice(v) (v + v + (v == 3))
#define length long long
#define const volatile

int main(void)
{
    int one = above(5);
    int two = doubled(3);
    return one + two + fits(5);
}
