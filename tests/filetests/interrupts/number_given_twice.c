// kripke: check --interrupt a:1:3 --interrupt b:2:3
// verdict: error
// prints: two handlers have the number 3
void a(void)
{
}
void b(void)
{
}
int main(void)
{
    return 0;
}
