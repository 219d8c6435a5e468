#include "grader/student/terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* ECMA-48, with the second screen and the hidden cursor of xterm: all that terminals of today agree on. */
#define ENTER "\033[?1049h\033[?25l\033[2J"
#define LEAVE "\033[0m\033[?25h\033[?1049l"

static struct termios found;
static volatile sig_atomic_t taken, ended, stop, redraw;

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static const int crashing[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { ENDING = sizeof ending / sizeof *ending, CRASHING = sizeof crashing / sizeof *crashing };
static struct sigaction before[ENDING];

bool terminal_is_usable(void)
{
    const char *name = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && name && *name && strcmp(name, "dumb") != 0;
}

void terminal_write(const char *text, size_t size)
{
    while (size > 0) {
        ssize_t wrote = write(STDOUT_FILENO, text, size);
        if (wrote < 0 && errno == EAGAIN) { /* somebody has made it so; the terminal is slow */
            struct pollfd ready = {.fd = STDOUT_FILENO, .events = POLLOUT};
            poll(&ready, 1, 100);
        } else if (wrote < 0 && errno != EINTR) {
            return;
        }
        text += wrote > 0 ? wrote : 0;
        size -= wrote > 0 ? (size_t)wrote : 0;
    }
}

/* Also in handlers: calls only what may be called there. In the background the terminal is somebody else's.
 */
static void restore(void)
{
    if (!taken)
        return;
    taken = 0;
    if (tcgetpgrp(STDIN_FILENO) != getpgrp())
        return;
    terminal_write(LEAVE, sizeof LEAVE - 1);
    tcsetattr(STDIN_FILENO, TCSANOW, &found);
}

static void take(void)
{
    struct termios raw = found;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO); /* ISIG stays: Ctrl-C is a signal */
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    taken = 1;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    terminal_write(ENTER, sizeof ENTER - 1);
}

static void note(int signal_number)
{
    if (signal_number == SIGTSTP)
        stop = 1;
    else if (signal_number == SIGWINCH || signal_number == SIGCONT)
        redraw = signal_number == SIGCONT ? 2 : redraw ? redraw : 1;
    else
        ended = signal_number;
}

static void crash(int signal_number)
{
    restore();
    raise(signal_number); /* SA_RESETHAND: as without us */
}

static void handle(int signal_number, void (*handler)(int), int flags, struct sigaction *old)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, old);
}

bool terminal_take(struct error *err)
{
    if (tcgetattr(STDIN_FILENO, &found) != 0)
        return error_set(err, "cannot use this terminal: %s", strerror(errno));
    ended = stop = redraw = 0;
    for (int i = 0; i < ENDING; i++)
        handle(ending[i], note, 0, &before[i]);
    for (int i = 0; i < CRASHING; i++)
        handle(crashing[i], crash, (int)SA_RESETHAND, NULL);
    handle(SIGTSTP, note, 0, NULL);
    handle(SIGCONT, note, 0, NULL);
    handle(SIGWINCH, note, 0, NULL);
    take();
    return true;
}

void terminal_give_back(void)
{
    restore();
    for (int i = 0; i < ENDING; i++)
        sigaction(ending[i], &before[i], NULL);
    for (int i = 0; i < CRASHING; i++)
        handle(crashing[i], SIG_DFL, 0, NULL);
    handle(SIGTSTP, SIG_DFL, 0, NULL);
    handle(SIGCONT, SIG_DFL, 0, NULL);
    handle(SIGWINCH, SIG_DFL, 0, NULL);
}

int terminal_ended_by(void)
{
    return ended;
}

bool terminal_refresh(void)
{
    if (stop && !ended) {
        restore();
        handle(SIGTSTP, SIG_DFL, 0, NULL);
        raise(SIGTSTP);
        handle(SIGTSTP, note, 0, NULL);
        stop = 0;
        redraw = 2;
    }
    int was = redraw;
    redraw = 0;
    if (was == 2 && !ended) /* whoever had the terminal meanwhile may have set it */
        take();
    return was != 0;
}

void terminal_size(unsigned *rows, unsigned *columns)
{
    struct winsize size;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0;
    *rows = known ? size.ws_row : 24;
    *columns = known ? size.ws_col : 80;
}

static bool is_ready(int fd, int milliseconds)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    return poll(&ready, 1, milliseconds) > 0;
}

static int next_byte(void)
{
    unsigned char byte;
    ssize_t size = read(STDIN_FILENO, &byte, 1);
    return size == 1 ? byte : size == 0 || (errno != EINTR && errno != EAGAIN) ? KEY_LOST : KEY_NONE;
}

/* What follows an ESC: nothing for the key itself, or the rest of another one's sequence. */
static int escaped(void)
{
    enum { REST_MS = 50, LONGEST = 8 };
    int first = 0, byte = 0;
    if (!is_ready(STDIN_FILENO, REST_MS))
        return KEY_ESCAPE;
    byte = next_byte();
    if (byte != '[' && byte != 'O')
        return KEY_NONE;
    for (int i = 0; i < LONGEST && is_ready(STDIN_FILENO, REST_MS); i++) {
        byte = next_byte();
        first = i == 0 ? byte : first;
        if (byte >= '@' && byte <= '~')
            break;
    }
    switch (byte) {
    case 'A':
        return KEY_UP;
    case 'B':
        return KEY_DOWN;
    case '~':
        return first == '5' ? KEY_PAGE_UP : first == '6' ? KEY_PAGE_DOWN : KEY_NONE;
    default:
        return KEY_NONE;
    }
}

int terminal_key(int other, int milliseconds)
{
    struct pollfd ready[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = other, .events = POLLIN}};
    if (ended || stop || redraw || poll(ready, 2, milliseconds) <= 0 || !ready[0].revents)
        return KEY_NONE;
    int byte = next_byte();
    return byte == KEY_ESCAPE ? escaped() : byte;
}
