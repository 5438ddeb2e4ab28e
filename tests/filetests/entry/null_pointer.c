// kripke: check --entry first
// verdict: violated
// violates: pointer@7

int first(const int *numbers)
{
    return *numbers;
}
