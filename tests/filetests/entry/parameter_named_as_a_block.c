// kripke: check --entry first
// verdict: violated
// violates: pointer@6
int first(const int *entry)
{
    return *entry & 1;
}
