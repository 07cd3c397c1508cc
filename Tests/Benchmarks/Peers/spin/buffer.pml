/* A bounded buffer: PRODUCERS and CONSUMERS of ITEMS each, for CAPACITY items; a mutex and two conditions.

   The items themselves do not matter, so the buffer is its length. A condition is the set of the threads that wait on
   it; a signal wakes any one of them, which then takes the mutex again. At most eight threads. The steps are those of the .lab program beside:
   each lock, read, write, signal and unlock. */
bool locked;
byte length;
/* Sets of threads, one bit each. */
byte waitsForRoom, waitsForItem;

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { locked = false }

/* Begins to wait, and takes the mutex again when it is woken. */
inline wait(queue) {
    atomic { queue = queue | (1 << _pid); locked = false };
    atomic { (queue & (1 << _pid)) == 0 && !locked -> locked = true }
}

/* Wakes one of those that wait, whichever. */
inline signal(queue) {
    atomic {
        if
        :: queue == 0 -> skip
        :: else ->
            do
            :: (queue >> victim) & 1 -> queue = queue & ~(1 << victim); break
            :: (queue >> (victim + 1)) != 0 -> victim++
            od;
            victim = 0
        fi
    }
}

active [PRODUCERS] proctype producer() {
    byte left = ITEMS, victim;
    do
    :: left == 0 -> break
    :: else ->
        lock();
        do
        :: length == CAPACITY -> wait(waitsForRoom)
        :: else -> break
        od;
        length++;
        signal(waitsForItem);
        unlock();
        left--
    od
}

active [CONSUMERS] proctype consumer() {
    byte left = ITEMS, victim;
    do
    :: left == 0 -> break
    :: else ->
        lock();
        do
        :: length == 0 -> wait(waitsForItem)
        :: else -> break
        od;
        length--;
        signal(waitsForRoom);
        unlock();
        left--
    od
}
