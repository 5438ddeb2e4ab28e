// kripke: check --interrupt a:0
// verdict: error
// prints: priorities begin with 1
void a(void)
{
}
int main(void)
{
    return 0;
}
