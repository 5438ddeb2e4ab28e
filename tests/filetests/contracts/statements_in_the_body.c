// kripke: check --entry move
// verdict: holds

#include <stddef.h>

struct point {
    int x, y;
};
int moves;

void move(struct point *p, int by)
{
    __ESBMC_requires(p != NULL && p->x < 1000 && p->x > -1000);
    __VERIFIER_requires(by >= 0 && by < 10 && moves < 5);
    __ESBMC_ensures(p->x == __ESBMC_old(p->x) + by);
    __VERIFIER_ensures(moves == __VERIFIER_old(moves) + 1);
    struct point *moved = p;
    p = NULL;
    moved->x += by;
    moves++;
}
