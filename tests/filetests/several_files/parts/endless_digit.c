int isdigit(int c)
{
    while (c != 1)
        ;
    return 1;
}
