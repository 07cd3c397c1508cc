// Implements screen.h through ncurses.
#include "screen.h"

#if !__has_include(<curses.h>)
#error "missing package: run 'apt-get install libncurses-dev'"
#endif

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

// The data of the handler for crashes: the process that shows the screen, the modes that the terminal had before, and
// the text that restores it.
static struct {
    pid_t owner;
    struct termios modes;
    char text[256];
    size_t length;
} screen_rescue;

// The signals of a crash.
static const int screen_crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT};
enum { SCREEN_CRASH_COUNT = sizeof screen_crashes / sizeof *screen_crashes };

// The handler for crashes: restores the terminal, and ends the process by the signal.
static void screen_restore_and_die(int number) {
    if (getpid() == screen_rescue.owner) {
        ssize_t written = write(STDOUT_FILENO, screen_rescue.text, screen_rescue.length);
        (void)written;
        tcsetattr(STDIN_FILENO, TCSANOW, &screen_rescue.modes);
    }
    signal(number, SIG_DFL);
    raise(number);
}

// Makes the text that restores the terminal, from the terminfo database, and installs the handler for crashes. The text
// resets attributes (sgr0), shows the cursor (cnorm), and leaves the keypad mode (rmkx) and the alternate screen
// (rmcup).
static void screen_prepare_rescue(void) {
    static const char *const names[] = {"sgr0", "cnorm", "rmkx", "rmcup"};
    screen_rescue.owner = getpid();
    screen_rescue.length = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = tigetstr((char *)names[i]);
        if (text == NULL || text == (char *)-1) continue;
        size_t length = strlen(text);
        if (screen_rescue.length + length > sizeof screen_rescue.text) continue;
        memcpy(screen_rescue.text + screen_rescue.length, text, length);
        screen_rescue.length += length;
    }
    for (int i = 0; i < SCREEN_CRASH_COUNT; i++) signal(screen_crashes[i], screen_restore_and_die);
}

// The number of colors in use, besides the terminal's own.
static int screen_color_count;

// Makes the colors from 1 on available, as far as the terminal has them, each on the terminal's own background.
static void screen_prepare_colors(bool wants_colors) {
    screen_color_count = 0;
    if (!wants_colors || !has_colors() || start_color() == ERR || use_default_colors() == ERR) return;
    enum { END_OF_COLORS = 16 };
    for (short color = 1; color < END_OF_COLORS && color < COLORS && color < COLOR_PAIRS; color++) {
        if (init_pair(color, color, -1) == ERR) return;
        screen_color_count = color;
    }
}

bool screen_begin(screen_t *s, bool wants_colors) {
    if (tcgetattr(STDIN_FILENO, &screen_rescue.modes) != 0) return false;
    setlocale(LC_CTYPE, "");
    s->screen = newterm(NULL, stdout, stdin);
    if (s->screen == NULL) return false;
    // ncurses has installed handlers that would end the process with a status of their own.
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    screen_prepare_rescue();
    sigemptyset(&s->blocked);
    sigaddset(&s->blocked, SIGINT);
    sigaddset(&s->blocked, SIGTERM);
    sigaddset(&s->blocked, SIGHUP);
    sigaddset(&s->blocked, SIGWINCH);
    sigprocmask(SIG_BLOCK, &s->blocked, &s->before);
    s->signals = signalfd(-1, &s->blocked, SFD_CLOEXEC | SFD_NONBLOCK);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(50); // milliseconds after which an escape byte counts as the key
    curs_set(0);
    screen_prepare_colors(wants_colors);
    return true;
}

void screen_end(screen_t *s) {
    endwin();
    delscreen(s->screen);
    tcsetattr(STDIN_FILENO, TCSANOW, &screen_rescue.modes);
    for (int i = 0; i < SCREEN_CRASH_COUNT; i++) signal(screen_crashes[i], SIG_DFL);
    close(s->signals);
    sigprocmask(SIG_SETMASK, &s->before, NULL);
}

int screen_rows(void) { return LINES; }
int screen_columns(void) { return COLS; }

void screen_clear(void) { erase(); }

void screen_put(int row, int column, const char *text, int style) {
    attr_t attributes = 0;
    if (style & screen_bold) attributes |= A_BOLD;
    if (style & screen_dim) attributes |= A_DIM;
    if (style & screen_reverse) attributes |= A_REVERSE;
    int color = style / screen_color;
    // A terminal with eight colors has no bright ones, which begin with number 8: the plain color takes their place.
    enum { FIRST_BRIGHT = 8 };
    if (color > screen_color_count) color -= FIRST_BRIGHT;
    if (color > 0 && color <= screen_color_count) attributes |= (attr_t)COLOR_PAIR(color);
    attrset(attributes);
    mvaddstr(row, column, text);
    attrset(A_NORMAL);
}

void screen_show_cursor(int row, int column) {
    curs_set(1);
    move(row, column);
}
void screen_hide_cursor(void) { curs_set(0); }
void screen_refresh(void) { refresh(); }
void screen_redraw(void) { clearok(curscr, TRUE); }

// Tells ncurses the present size of the terminal.
static void screen_fit(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        resizeterm(size.ws_row, size.ws_col);
}

static int screen_read_signal(screen_t *s) {
    struct signalfd_siginfo info;
    if (read(s->signals, &info, sizeof info) != sizeof info) return screen_key_none;
    if (info.ssi_signo != SIGWINCH) return screen_key_signal - (int)info.ssi_signo;
    screen_fit();
    return screen_key_resize;
}

// Translates what ncurses says of a key to a character or a screen_key.
static int screen_translate(int status, wint_t key) {
    // In ASCII, 27 is escape, 13 and 10 are enter, and 127 and 8 are backspace.
    if (status == OK) return key == 27 ? screen_key_escape : key == 13 || key == 10 ? screen_key_enter
        : key == 127 || key == 8 ? screen_key_back : (int)key;
    switch (key) {
    case KEY_LEFT: return screen_key_left;
    case KEY_RIGHT: return screen_key_right;
    case KEY_UP: return screen_key_up;
    case KEY_DOWN: return screen_key_down;
    case KEY_HOME: return screen_key_home;
    case KEY_END: return screen_key_end;
    case KEY_PPAGE: return screen_key_page_up;
    case KEY_NPAGE: return screen_key_page_down;
    case KEY_BACKSPACE: return screen_key_back;
    case KEY_ENTER: return screen_key_enter;
    case KEY_RESIZE: return screen_key_resize;
    default: return screen_key_other;
    }
}

int screen_wait(screen_t *s) {
    while (true) {
        wint_t key = 0;
        int status = get_wch(&key);
        if (status != ERR) return screen_translate(status, key);
        struct pollfd sources[2] = {{STDIN_FILENO, POLLIN, 0}, {s->signals, POLLIN, 0}};
        if (poll(sources, 2, -1) < 0) {
            if (errno == EINTR) continue;
            return screen_key_gone;
        }
        if (sources[1].revents & POLLIN) {
            int found = screen_read_signal(s);
            if (found != screen_key_none) return found;
        }
        if (sources[0].revents & (POLLHUP | POLLERR | POLLNVAL)) return screen_key_gone;
        // The input is readable, but without any bytes: the terminal is gone.
        if (sources[0].revents & POLLIN) {
            int waiting = 0;
            if (ioctl(STDIN_FILENO, FIONREAD, &waiting) != 0 || waiting == 0) return screen_key_gone;
        }
    }
}
