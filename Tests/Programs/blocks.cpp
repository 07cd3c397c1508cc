// Memory of the heap that threads get by pointers of C++, by the program's argument.
#include <atomic>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

struct Item {
    int value = 0;
};

static const char *choice;

static bool is(const char *name) { return std::strcmp(choice, name) == 0; }

class Queue {
public:
    int size = 0;
    std::unique_ptr<Item> first = std::make_unique<Item>();
    std::vector<Item> items{3};
    std::atomic<Item *> last{nullptr};

    void change() {
        if (is("member")) size++;
        if (is("unique")) first->value++;
        if (is("vector")) items[1].value++;
    }
};

int main(int words, char **word) {
    choice = words > 1 ? word[1] : "member";
    auto queue = std::make_shared<Queue>();
    queue->items.resize(3);
    std::thread thread([queue] {
        queue->change();
        if (is("captured")) queue->size++;
    });
    queue->change();
    if (is("captured")) queue->size++;
    thread.join();
}
