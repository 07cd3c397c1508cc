// The other file of outside.c.
int number;

void change(void) { number++; }
