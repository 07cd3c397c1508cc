// Mistakes that are reached through other functions, some of which a compiler puts in the place of their calls.
#include <cassert>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

struct Account {
    std::mutex mutex;
    long balance = 0;
};

static inline __attribute__((always_inline)) void take(Account &from, Account &to) {
    std::lock_guard<std::mutex> one(from.mutex);
    std::lock_guard<std::mutex> two(to.mutex);
    from.balance--, to.balance++;
}

struct Bank {
    Account first, second;
    __attribute__((noinline)) void transfer(bool isForward) { isForward ? take(first, second) : take(second, first); }
    void back(int) { transfer(false); }
};

static Bank bank;

static void lock() {
    std::thread one([] { bank.transfer(true); }), two(&Bank::back, &bank, 1);
    one.join(), two.join();
}

static int *make() { return new int(1); }
static void drop(int *number) { delete number; }
static int look(int *number) { return *number; }

static void use_freed() {
    int *number = make();
    std::thread one(drop, number);
    one.join();
    if (look(number) > 100) drop(number);
}

static long below(int depth, int *number) { return depth == 0 ? *number : 1 + below(depth - 1, number); }

struct Checker {
    int expected;
    void operator()() const { check(2); }
    void check(int number) const { assert(number == expected); }
};

static void fail() { throw std::runtime_error("no such account"); }

int main(int count, char **words) {
    const char *mistake = count > 1 ? words[1] : "locks";
    if (!strcmp(mistake, "locks")) lock();
    if (!strcmp(mistake, "freed")) use_freed();
    int *volatile nothing = nullptr;
    if (!strcmp(mistake, "crash")) return (int)below(2, nothing);
    if (!strcmp(mistake, "assertion")) std::thread(Checker{3}).join();
    if (!strcmp(mistake, "thrown")) fail();
}
