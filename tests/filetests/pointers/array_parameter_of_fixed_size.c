// kripke: check
// verdict: violated
// violates: pointer@7

static int last(const int values[static 4])
{
    return values[4];
}

int main(void)
{
    int values[4] = {1, 2, 3, 4};
    return last(values);
}
