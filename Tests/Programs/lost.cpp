// Memory that is never freed: in the first ways nothing points to it at the end, in the others something does.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <string>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

struct Node {
    Node *next;
    int value;
};

static std::mutex mutex;
static Node *cache;
static thread_local Node *own;
static void *kept[4], **shared;
static uint64_t tagged;

static void fill() {
    bool is_missing;
    {
        std::lock_guard<std::mutex> lock(mutex);
        is_missing = !cache;
    }
    if (!is_missing) return;
    Node *made = new Node{nullptr, 1};
    std::lock_guard<std::mutex> lock(mutex);
    cache = made;
}

__attribute__((noinline)) static void forget() {
    void *volatile block = malloc(7);
    block = nullptr;
}

static void lose(const std::string &way) {
    if (way == "both") {
        std::thread first(fill), second(fill);
        first.join();
        second.join();
        delete cache;
    }
    if (way == "list") {
        Node *list = nullptr;
        for (int i = 0; i < 10; i++) list = new Node{list, i};
    }
    if (way == "circle") {
        Node *node = new Node{nullptr, 1};
        node->next = new Node{node, 2};
    }
    if (way == "variable") std::thread([] { own = new Node{nullptr, 1}; }).join();
    if (way == "copy") {
        for (int i = 0; i < 5; i++) strdup("four");
    }
    if (way == "large") {
        void **block = static_cast<void **>(malloc(1 << 20));
        block[100000] = malloc(7);
    }
    if (way == "moved") {
        void *block = malloc(10);
        block = realloc(block, 2000);
    }
    if (way == "result") {
        pthread_t thread;
        pthread_create(&thread, nullptr, [](void *) -> void * { return malloc(7); }, nullptr);
        pthread_join(thread, nullptr);
    }
    if (way == "unjoined") {
        pthread_t thread;
        pthread_create(&thread, nullptr, [](void *) -> void * { return nullptr; }, nullptr);
        malloc(7);
    }
    if (way == "blocked") {
        mutex.lock();
        std::thread([] {
            forget();
            pthread_mutex_lock(mutex.native_handle());
        }).detach();
        std::this_thread::yield();
    }
}

static pthread_key_t key;

static void keep(const std::string &way) {
    if (way == "global") cache = new Node{new Node{nullptr, 2}, 1};
    if (way == "variable of main") own = new Node{nullptr, 1};
    if (way == "inside") kept[0] = static_cast<char *>(malloc(100)) + 50;
    if (way == "tagged") tagged = reinterpret_cast<uint64_t>(malloc(100)) | 7ull << 48;
    if (way == "far") {
        kept[0] = malloc(1 << 20);
        static_cast<void **>(kept[0])[100000] = malloc(7);
    }
    if (way == "mapped") {
        void **pages = static_cast<void **>(mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        pages[5000] = malloc(7);
        mprotect(reinterpret_cast<char *>(pages) + (1 << 19), 4096, PROT_NONE);
    }
    if (way == "key") {
        pthread_key_create(&key, nullptr);
        pthread_setspecific(key, malloc(7));
    }
    if (way == "stream") {
        puts("text");
        kept[0] = fopen("/dev/null", "w");
        fputs("text", static_cast<FILE *>(kept[0]));
    }
    if (way == "environment") setenv("NAME", "value", 1);
    if (way == "waiting") {
        mutex.lock();
        std::thread([] {
            std::vector<int> values(100);
            std::lock_guard<std::mutex> lock(mutex);
            values.back() = 1;
        }).detach();
        std::this_thread::yield();
    }
    if (way == "exit") {
        volatile auto text = std::make_unique<std::string>(100, 'x').release();
        exit(text->size() - 100);
    }
    if (way == "handler") {
        on_exit([](int, void *block) { free(block); }, malloc(7));
    }
    if (way == "shared") *shared = malloc(7);
    if (way == "elsewhere") *static_cast<void **>(sbrk(4096)) = malloc(7);
    if (way == "watched") {
        epoll_event event = {EPOLLIN, {malloc(7)}};
        epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, eventfd(0, 0), &event);
    }
    if (way == "left") {
        pthread_t thread;
        pthread_create(&thread, nullptr, [](void *) -> void * { return malloc(7); }, nullptr);
    }
    if (way == "freed") free(realloc(malloc(100), 1 << 20));
}

__attribute__((constructor)) static void share(int count, char **words) {
    if (count < 2 || strcmp(words[1], "shared")) return;
    shared = static_cast<void **>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
}

int main(int count, char **words) {
    std::string way = count > 1 ? words[1] : "both";
    lose(way);
    keep(way);
}
