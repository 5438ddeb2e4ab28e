int checked_divide(int a, int b)
{
    return a / b;
}
