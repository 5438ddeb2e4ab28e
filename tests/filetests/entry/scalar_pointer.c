// kripke: check --entry increment
// verdict: violated
// violates: overflow@7
int increment(int *number)
{
    if (number)
        *number = *number + 1;
    return 0;
}
