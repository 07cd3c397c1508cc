// Containers and strings of C++ that threads share, with their lock and, as the argument says, without it.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>

static std::mutex mutex;
static std::string what;
static std::map<int, int> counts = {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}};
static std::set<std::string> names;
static std::list<int> queue = {7};
static std::unordered_map<std::string, int> table;
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
    if (what == "erased") {
        // The trees turn at other nodes than those that the iterator goes to.
        static std::set<int> tree = {0, 21, 26, 67, 88, 77, 53, 22, 28, 82, 29, 98, 31, 50, 58, 43};
        auto position = tree.find(50);
        std::thread changer([] {
            std::lock_guard<std::mutex> lock(mutex);
            tree.erase(21);
        });
        --position;
        changer.join();
        return 0;
    }
    if (what == "freed") {
        // The text belongs to the exception, and its memory is released by the library's code.
        static std::runtime_error *error = new std::runtime_error("a text");
        std::thread thrower([] {
            std::lock_guard<std::mutex> lock(mutex);
            delete error;
            error = nullptr;
        });
        const char *text = "";
        {
            std::lock_guard<std::mutex> lock(mutex);
            if (error) text = error->what();
        }
        std::puts(text);
        thrower.join();
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
    int length = 0;
    for (auto [number, count] : counts) length += number + count;
    for (auto &name : names) std::cout << name << "\n";
    std::cout << length << " " << table["thread 1"] << " " << text << "\n";
}
