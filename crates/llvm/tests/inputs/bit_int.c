_BitInt(7) seven = 5;
unsigned _BitInt(33) thirty_three;
struct mixed { _BitInt(3) a; unsigned _BitInt(19) b; };

int main(void) {
    struct mixed m = {1, 2};
    _BitInt(7) x = seven + m.a;
    unsigned _BitInt(33) y = thirty_three * 3u;
    return (int)x + (int)y + (x < seven) + (int)m.b;
}
