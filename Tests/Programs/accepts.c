// A thread waits for a connection that nobody makes: the system itself blocks it.
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>

static void *serve(void *unused) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    listen(listener, 1);
    accept(listener, NULL, NULL);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, serve, NULL);
    pthread_join(thread, NULL);
    return 0;
}
