// kripke: check --replace-calls first
// verdict: unknown
// prints: a contract in the place of a call with a `values` that `first` is not checked with

static const int table[3];

static int first(const int *values) __CPROVER_requires(values)
{
    return *values;
}

int main(void)
{
    return first(&table[3]);
}
