// kripke: check
// verdict: violated
// violates: uninitialised@13

struct state {
    int a, b;
};

int main(void)
{
    struct state s;
    s.a = 1;
    return s.a + s.b;
}
