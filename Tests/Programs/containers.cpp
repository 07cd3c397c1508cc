// Containers, strings and streams of C++ that threads share, with their lock and, as the argument says, without it.
#include <cstdlib>
#include <iostream>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>

static std::mutex mutex;
static std::string what;
static std::map<int, int> counts = {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}};
static std::set<std::string> names;
static std::list<int> queue = {7};
static std::unordered_map<std::string, int> table;
static std::ostringstream report;
static std::string text = "a text that is too long to be kept in its object";

// Calls the function with its lock, or without it.
template <typename Body> static void guard(const char *name, Body body) {
    if (what == name) return body();
    std::lock_guard<std::mutex> lock(mutex);
    body();
}

static void change(int number) {
    guard("map", [&] {
        counts.erase(number);
        counts[10 + number] = number;
    });
    guard("set", [&] { names.insert("the name of a thread, number " + std::to_string(number)); });
    guard("list", [&] { queue.push_back(number); });
    guard("table", [&] { table["thread " + std::to_string(number)] = number; });
    guard("stream", [&] { report << "thread " << number << std::endl; });
    guard("string", [&] { text += std::to_string(number); });
    std::cout << "thread " << number << " has changed what they share" << std::endl;
}

// Goes through what it is given while another thread changes something else in it.
static int walk() {
    int sum = 0;
    auto position = counts.begin();
    for (int steps = 0; steps < 3; steps++) sum += position++->second;
    return sum;
}

int main(int, char **arguments) {
    what = arguments[1] ? arguments[1] : "";
    if (what == "walk") {
        std::thread changer([] {
            std::lock_guard<std::mutex> lock(mutex);
            counts[6] = 1;
        });
        walk();
        changer.join();
        return 0;
    }
    if (what == "settings") {
        std::thread other([] { std::cout << 1.5; });
        std::cout.precision(3);
        other.join();
        return 0;
    }
    if (what == "range") {
        std::string empty;
        return empty[std::strtol("1", nullptr, 10)];
    }
    std::thread one(change, 1), two(change, 2);
    one.join();
    two.join();
    if (counts.size() != 5 || names.size() != 2 || queue.size() != 3 || table.size() != 2) std::abort();
    if (report.str().size() != 18) std::abort();
    int length = 0;
    for (auto [number, count] : counts) length += number + count;
    for (auto &name : names) std::cout << name << "\n";
    std::cout << length << " " << table["thread 1"] << " " << text << "\n";
}
