/* THREADS threads that each add one to a counter TIMES times, under a lock. A read and a write are a step each. */
bool locked;
byte x;

active [THREADS] proctype adder() {
    byte left = TIMES, seen;
    do
    :: left == 0 -> break
    :: else ->
        atomic { !locked -> locked = true };
        seen = x;
        atomic { x = seen + 1; seen = 0 };
        locked = false;
        left--
    od
}
