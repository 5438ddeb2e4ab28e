#include <stddef.h>

struct point { float x, y; };
struct inner { int values[3]; struct { char tag; union { int number; double real; }; }; };
struct node { struct node *next; struct inner payload; const char *name; };
struct big { long long words[9]; };
struct flexible { unsigned length; short items[]; };
struct empty {};
union choice { int i; float f; struct point p; };
typedef struct opaque opaque;
opaque *handle;

struct point scale(struct point p, float by) { p.x *= by; p.y *= by; return p; }
struct big fill(struct big b, int by) { for (int i = 0; i < 9; i++) b.words[i] += by; return b; }
union choice choose(union choice c) { c.i ^= 1; return c; }
struct empty nothing(struct empty e) { return e; }

static struct node last = {NULL, {{1, 2, 3}, {'x', {.real = 2.5}}}, "last"};
static struct node first = {.next = &last, .payload.values = {[2] = 7}, .name = "first" + 2};
struct node *const chain[] = {&first, &last, NULL};
int matrix[2][3][4] = {{{1}, {2, 3}}, {[1] = {[2] = 5}}};
const struct flexible flexible = {3, {1, 2, 3}};

int main(void) {
    struct point p = scale((struct point){1, 2}, 3);
    struct big b = fill((struct big){{0}}, 2);
    union choice c = choose((union choice){.f = 1});
    struct node copy = first;
    copy.payload = last.payload;
    nothing((struct empty){});
    int (*row)[4] = matrix[1];
    size_t offset = offsetof(struct node, payload);
    return (int)p.x + (int)b.words[3] + c.i + copy.payload.number + row[1][2] + (int)offset
        + flexible.items[1] + (chain[0]->next == &last) + (handle == NULL);
}
