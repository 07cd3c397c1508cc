// Variables of functions that threads reach by reference, and parts of them.
#include <array>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct Account {
    std::mutex lock;
    long balance = 0;
};

struct Numbered {
    int number = 0;
};

struct Empty {};

struct Bank : Empty, Numbered {
    std::array<Account, 3> accounts;
    struct {
        int done;
    } days[2][3] = {};
    std::pair<int, std::vector<int>> log;
};

template <class Work> static void twice(Work work) {
    std::thread one(work), other(work);
    one.join(), other.join();
}

static void count() {
    std::mutex guard;
    int counter = 0;
    auto add = [&](int more) { counter += more; };
    twice([&] {
        add(1);
        std::lock_guard<std::mutex> hold(guard);
        add(2);
    });
}

static void transfer(Bank &bank, int from, int to) {
    std::lock_guard<std::mutex> one(bank.accounts[from].lock);
    std::lock_guard<std::mutex> two(bank.accounts[to].lock);
    bank.accounts[from].balance--, bank.accounts[to].balance++;
}

static void transfers() {
    Bank bank;
    std::thread one(transfer, std::ref(bank), 0, 2), other(transfer, std::ref(bank), 2, 0);
    one.join(), other.join();
}

static void days() {
    Bank bank;
    twice([&] { bank.days[1][2].done++; });
}

static void numbers() {
    Bank bank;
    twice([&] { bank.number++; });
}

static void log() {
    Bank bank;
    bank.log.second.reserve(8);
    twice([&] { bank.log.second.push_back(1); });
}

static void given(const std::array<int, 3> &values) {
    std::thread one([&] { const_cast<int &>(values[1]) = 1; });
    const_cast<int &>(values[1]) = 2;
    one.join();
}

static int early() {
    int first = 0;
    std::mutex guard;
    twice([&] {
        std::lock_guard<std::mutex> hold(guard);
        first++;
    });
    return first;
}

static int late() {
    int second = 0;
    std::mutex guard;
    twice([&] {
        second++;
        std::lock_guard<std::mutex> hold(guard);
    });
    return second;
}

static void own() {
    int mine = 0;
    std::thread helper([&] { mine++; });
    mine++;
    helper.join();
}

int main(int count_, char **words) {
    std::string choice = count_ > 1 ? words[1] : "count";
    if (choice == "count") count();
    if (choice == "transfers") transfers();
    if (choice == "days") days();
    if (choice == "numbers") numbers();
    if (choice == "log") log();
    if (choice == "given") given({1, 2, 3});
    if (choice == "late") early(), late();
    if (choice == "own") twice(own);
}
