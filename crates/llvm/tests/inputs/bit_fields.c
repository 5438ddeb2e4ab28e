struct flags {
    unsigned a : 3;
    int b : 7;
    unsigned long long c : 40;
    unsigned : 0;
    _Bool d : 1;
    volatile unsigned e : 5;
};
struct __attribute__((packed)) tight { char x; int y; unsigned short z : 9; };
union view { struct flags f; unsigned char bytes[sizeof(struct flags)]; };

struct flags initial = {1, -2, 3, 1, 4};
static struct flags table[2] = {[1] = {.c = 99}};

int main(void) {
    struct flags local = initial;
    local.a += 2;
    local.b = local.b * 3;
    local.e |= 1;
    struct tight t = {1, 2, 3};
    union view v = {.f = local};
    table[0].d = v.bytes[0] > 3;
    return local.a + local.b + (int)local.c + t.y + t.z + table[1].d;
}
