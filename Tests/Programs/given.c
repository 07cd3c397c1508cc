// Holds its arguments, input and environment to what a file says that it is given.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **arguments) {
    char line[16] = {0};
    assert(count == 3 && strcmp(arguments[1], "two words") == 0 && strcmp(arguments[2], "3") == 0);
    assert(getenv("MODE") && strcmp(getenv("MODE"), "fast mode") == 0 && strcmp(getenv("LEVEL"), "2") == 0);
    assert(read(0, line, sizeof line) == 3 && strcmp(line, "17\n") == 0);
    return 0;
}
