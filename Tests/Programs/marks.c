// Leaves a mark when it is started, and fails.
#include <assert.h>
#include <stdio.h>

__attribute__((constructor)) static void mark(void) { fclose(fopen("STARTED", "w")); }

int main(void) {
    assert(0);
    return 0;
}
