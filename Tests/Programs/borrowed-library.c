// A library that changes a variable before the program begins, and could do so at any time.
int borrowed;

__attribute__((constructor)) static void begin(void) { borrowed = 1; }
