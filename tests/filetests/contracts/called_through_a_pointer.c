// kripke: check
// verdict: violated
// violates: precondition@23

struct big {
    int values[9];
};

static struct big scale(struct big all, const char *const names[2], int (*unused)(int, const char *))
    __CPROVER_requires(all.values[0] == 1 && names[0] && !unused)
    __CPROVER_ensures(__CPROVER_return_value.values[0] == __CPROVER_old(all.values[0]) + 1)
{
    all.values[0]++;
    return all;
}

int main(void)
{
    struct big b = {{1}};
    const char *names[2] = {"a", "b"};
    struct big (*pointer)(struct big, const char *const *, int (*)(int, const char *)) = scale;
    b = pointer(b, names, 0);
    b = pointer(b, names, 0);
    return 0;
}
