// Functions for which the C library makes threads of its own: the argument says which one is called.
#define _GNU_SOURCE
#include <aio.h>
#include <mqueue.h>
#include <netdb.h>
#include <string.h>

int main(int count, char **words) {
    const char *name = count > 1 ? words[1] : "";
    static char byte;
    struct aiocb asked = {.aio_fildes = 0, .aio_buf = &byte, .aio_nbytes = 1};
    struct aiocb *all[1] = {&asked};
    if (strcmp(name, "aio_read") == 0) return aio_read(&asked);
    if (strcmp(name, "aio_write") == 0) return aio_write(&asked);
    if (strcmp(name, "aio_suspend") == 0) return aio_suspend((const struct aiocb *const *)all, 1, NULL);
    if (strcmp(name, "lio_listio") == 0) return lio_listio(LIO_WAIT, all, 1, NULL);
    if (strcmp(name, "mq_notify") == 0) return mq_notify(0, NULL);
    if (strcmp(name, "getaddrinfo_a") == 0) return getaddrinfo_a(GAI_WAIT, NULL, 0, NULL);
    return 0;
}
