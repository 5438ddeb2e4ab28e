// kripke: check
// verdict: error
// exit: 3
// prints: this contract of `first` has a side effect: it writes to an object

struct triple {
    int part[3];
};

int first(struct triple of)
    __CPROVER_requires((((struct triple *)&of)->part[0] = 3) == 3)
{
    return of.part[0];
}

int main(void)
{
    struct triple some = {{1, 2, 3}};
    return first(some);
}
