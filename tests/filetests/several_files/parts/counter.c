int counter_total;

static int count;

static int next(void)
{
    return ++count;
}

int counter_next(void)
{
    counter_total++;
    return next();
}
