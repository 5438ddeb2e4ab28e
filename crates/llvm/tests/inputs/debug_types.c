typedef unsigned char byte;
typedef struct list list;
enum mode { OFF, ON = 5, NEGATIVE = -1 };
struct list {
    list *next;
    const volatile byte flags : 3;
    unsigned rest : 5;
    enum mode mode;
    double grid[2][3];
    union { int number; float real; } u;
    int (*callback)(const char *restrict, ...);
    void *data;
    struct incomplete *hidden;
};
static list head;
long double _Complex z;

static int callee(int first, byte second) {
    static int calls = 3;
    const char *local = "x";
    { list local[2]; (void)local; }
    return first + second + calls + local[0];
}

int main(int argc, char **argv) { int vla[argc]; vla[0] = 0; return callee(argc, 2) + vla[0] + (head.data == argv); }
