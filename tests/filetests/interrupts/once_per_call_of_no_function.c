// kripke: check --interrupt tick --interrupt-once-per tick=renw
// verdict: error
// prints: there is no function 'renw' to be what lets a handler come again; did you mean 'renew'?
void renew(void)
{
}
void tick(void)
{
}
int main(void)
{
    renew();
    return 0;
}
