// kripke: check --check none
// verdict: violated
// ltl: p: G {now.x == now.y}
// violates: p

struct point { int x, y; };
static struct point now, next = {1, 2};
int main(void)
{
    now = next;
    now.x = 2;
    return 0;
}
