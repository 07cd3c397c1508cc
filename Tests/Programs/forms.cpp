// A program that replaces some forms of new and delete: the others call these. And a read that asks for more than there is.
#include <cstdlib>
#include <new>
#include <sstream>
#include <thread>

static int count;

void *operator new[](std::size_t size) {
    count++;
    return static_cast<char *>(std::malloc(size + 16)) + 16;
}

void operator delete[](void *block) noexcept {
    if (!block) return;
    count--;
    std::free(static_cast<char *>(block) - 16);
}

struct Item {
    int value = 1;
    ~Item() {}
};

int main() {
    int most = 0;
    std::thread([&] {
        Item *one = new (std::nothrow) Item[3];
        int *other = new int[2];
        most = count;
        delete[] one;
        ::operator delete[](other, std::nothrow);
        char *text = static_cast<char *>(std::malloc(4));
        std::istringstream("ab\n").read(text, 100);
        std::free(text);
    }).join();
    return most == 2 && count == 0 ? 0 : 1;
}
