// The screen of a terminal, as the module PlayScreen needs it. It is a thin layer over ncurses, whose macros and global
// variables Swift cannot use.
//
// The terminal is restored however the process ends, except by SIGKILL: by `screen_end`, or by a handler for the
// signals of a crash, which writes a text that was prepared in advance. Forked processes inherit the handler; in them
// it does not touch the terminal.
#pragma once

#include <signal.h>
#include <stdbool.h>

// Keys that are not characters, and events. back: the backspace key. resize: the terminal has another size. gone: the
// terminal does not exist any more. Signal n is screen_key_signal - n.
enum screen_key {
    screen_key_none = -1, screen_key_left = -2, screen_key_right = -3, screen_key_home = -4, screen_key_end = -5,
    screen_key_back = -6, screen_key_enter = -7, screen_key_escape = -8, screen_key_page_up = -9,
    screen_key_page_down = -10, screen_key_resize = -11, screen_key_gone = -12, screen_key_other = -13,
    screen_key_up = -14, screen_key_down = -15,
    screen_key_signal = -100
};
// Styles, whose sum is a style with all of them. The terminal's color n, from 1 to 15, is screen_color * n; it is
// ignored where there are no colors.
enum screen_style { screen_plain = 0, screen_bold = 1, screen_dim = 2, screen_reverse = 4, screen_color = 8 };

// screen: the SCREEN of ncurses. signals: a descriptor from which the signals in `blocked` are read. before: the signal
// mask before screen_begin.
typedef struct {
    void *screen;
    int signals;
    sigset_t blocked, before;
} screen_t;

// Takes over the terminal. Returns false if it cannot show a screen; then nothing has changed.
bool screen_begin(screen_t *, bool wants_colors);
// Gives the terminal back.
void screen_end(screen_t *);

int screen_rows(void);
int screen_columns(void);

void screen_clear(void);
// The text must fit, and contain no control characters.
void screen_put(int row, int column, const char *text, int style);
void screen_show_cursor(int row, int column);
void screen_hide_cursor(void);
void screen_refresh(void);
// The next refresh draws everything again.
void screen_redraw(void);

// Waits for a key or an event. Returns the character of a key, or a screen_key.
int screen_wait(screen_t *);
