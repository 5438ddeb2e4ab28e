int calls;
int is_positive(int x)
{
    calls++;
    return x > 0;
}
