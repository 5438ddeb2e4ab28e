#include <string.h>

static const char text[] = "with \0 zero";
const __CHAR16_TYPE__ wide[] = u"w\u00e9";
const __WCHAR_TYPE__ *very_wide = L"x";
static int (*grid)[3];
int sparse[1000] = {[10] = 1, [999] = 2};
char filled[4][4] = {"ab", {'c'}, "wxyz"};

static int sum(int rows, int columns, int values[rows][columns]) {
    int total = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) total += values[i][j];
    return total;
}

int main(int argc, char **argv) {
    (void)argv;
    int n = argc + 2;
    int square[n][n];
    memset(square, 0, sizeof square);
    char *scratch = __builtin_alloca((unsigned)n);
    scratch[0] = text[1];
    { int inner[n * 2]; inner[1] = 3; square[0][0] = inner[1]; }
    int *literal = (int[]){1, 2, argc};
    static int counter;
    counter += literal[2] + sum(n, n, square) + sparse[argc] + filled[1][argc & 3] + wide[1];
    return counter + scratch[0] + (grid != 0) + (int)very_wide[0];
}
