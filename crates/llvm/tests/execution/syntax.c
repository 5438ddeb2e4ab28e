#include <stdio.h>
#include <stddef.h>
#include <string.h>

struct point { int x, y; };
struct shape {
    enum { CIRCLE, BOX } kind;
    union {
        struct { struct point centre; int radius; };
        struct point corners[2];
    };
    unsigned flags : 4;
    int : 0;
    signed char level : 3;
};
typedef int row[3];
static const struct shape shapes[] = {
    {.kind = BOX, .corners = {{1, 2}, {3, 4}}, .flags = 9},
    [2] = {.kind = CIRCLE, .centre = {.y = 7}, .radius = 5, .level = -2},
};
static int matrix[][3] = {{1}, {[1] = 2}, {3, 4, 5}};
static char text[10] = "ab" "cd", *const strings[] = {"x", &"yz"[1], text + 2};
static int (*const functions[2])(const char *, ...) = {printf, 0};
static void *self = &self;
static ptrdiff_t distance = (char *)&shapes[2] - (char *)&shapes[0];
struct zero { int n; char tail[0]; };
struct list { struct list *next; int value; };
static struct list nodes[3] = {{&nodes[1], 1}, {&nodes[2], 2}, {NULL, 3}};

static int sum(size_t n, int (*m)[n], int count)
{
    int total = 0;
    for (int i = 0; i < count; i++)
        for (size_t j = 0; j < n; j++)
            total += m[i][j];
    return total;
}

static struct point *choose(struct point *a, struct point *b, _Bool first)
{
    return first ? a : b;
}

static long power(int base, unsigned exponent)
{
    return exponent ? base * power(base, exponent - 1) : 1;
}

static int many(char a, short b, long c, float d, double e, struct point f, int *g, unsigned char h, long long i, int j)
{
    return a + b + c + d + e + f.x + f.y + *g + h + i + j;
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        const struct shape *s = &shapes[i];
        printf("%d %d %d %d %d %d\n", s->kind, s->corners[0].x, s->corners[1].y, s->radius, s->flags, s->level);
    }
    printf("%d %d\n", sum(3, matrix, 3), (int)(sizeof matrix / sizeof *matrix));
    printf("%s %s %s %d\n", strings[0], strings[1], strings[2], text[9]);
    functions[0]("%d %d\n", self == &self, distance == 2 * sizeof(struct shape));
    int total = 0;
    for (struct list *l = nodes; l; l = l->next)
        total = total * 10 + l->value;
    printf("%d %zu\n", total, sizeof(struct zero));
    struct point a = {1, 2}, b = a;
    b.y += a.x++;
    choose(&a, &b, 0)->x = 40;
    *choose(&a, &b, 1) = (struct point){8, 9};
    printf("%d %d %d %d\n", a.x, a.y, b.x, b.y);
    int five = ({ int t = 2; t *= 2; t + 1; });
    __typeof__(five) copy = five, c = 3;
    printf("%d %d %ld\n", five ?: 9, copy, power(-3, 5));
    printf("%d\n", many('a', -2, 3L, 1.5f, 2.5, a, &five, 250, -7LL, 1));
    row r = {1, 2, 3}, *pr = &r;
    (*pr)[1] <<= 4, r[2] ^= ~0, r[0] = -r[0];
    printf("%d %d %d %d\n", r[0], r[1], r[2], (r[0], r[1]));
    unsigned u = 1u << 31;
    int shift = (int)u >> 31, mixed = -1 < 1u, comma = (c++, c += 2, c--);
    printf("%u %d %d %d %d\n", u, shift, mixed, comma, c);
    char buffer[16];
    memset(buffer, 'z', sizeof buffer);
    buffer[15] = 0;
    char *end = buffer + strlen(buffer);
    while (end > buffer && *--end == 'z')
        *end = 'a' + (end - buffer);
    puts(buffer);
    for (int i = 0, j = 10; i < j; i += 3, --j) {
        switch (i % 4) {
        case 0:
            if (j > 8) {
            case 1:
                printf("[%d,%d]", i, j);
                continue;
            }
        default:
            printf("(%d)", i);
        }
        if (i > 4)
            goto out;
    }
out:
    printf("\n%d %d\n", (int)sizeof(long double) > 8, _Alignof(struct shape) >= 4);
    int n = 3, vla[n], *vp = vla;
    for (int i = 0; i < n; i++)
        vla[i] = i * i;
    {
        int n2 = n * 2;
        char inner[n2][n];
        inner[n2 - 1][n - 1] = 'q';
        printf("%c %zu %zu\n", inner[5][2], sizeof inner, sizeof vla / sizeof *vp);
    }
    static int calls;
    if (calls++ < 2)
        printf("again %d\n", main() + calls);
    return calls;
}
