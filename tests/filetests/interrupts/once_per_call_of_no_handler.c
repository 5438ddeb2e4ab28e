// kripke: check --interrupt tick --interrupt-once-per tack=renew
// verdict: error
// prints: there is no handler 'tack'; did you mean 'tick'?
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
