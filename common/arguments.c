#include "arguments.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

bool argument_integer(const char *text, int64_t low, int64_t high, int64_t *value)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    // strtoll would skip leading blanks.
    bool whole = end != text && *end == '\0' && !isspace((unsigned char)text[0]);
    if (!whole || errno || number < low || number > high) {
        return false;
    }
    *value = number;
    return true;
}

/// Reads a number up to a separator. @return what follows it, or NULL
static const char *argument_before(const char *text, char separator, int64_t low, int64_t high,
                                   int64_t *value)
{
    const char *between = strchr(text, separator);
    char left[32];
    if (!between || (size_t)(between - text) >= sizeof left) {
        return NULL;
    }
    memcpy(left, text, (size_t)(between - text));
    left[between - text] = '\0';
    return argument_integer(left, low, high, value) ? between + 1 : NULL;
}

bool argument_pair(const char *text, char separator, int64_t low, int64_t high, int64_t pair[2])
{
    int64_t first, second;
    const char *rest = argument_before(text, separator, low, high, &first);
    if (!rest || !argument_integer(rest, low, high, &second)) {
        return false;
    }
    pair[0] = first;
    pair[1] = second;
    return true;
}

bool argument_triple(const char *text, int64_t low, int64_t high, int64_t triple[3])
{
    int64_t first, others[2];
    const char *rest = argument_before(text, ',', low, high, &first);
    if (!rest || !argument_pair(rest, ',', low, high, others)) {
        return false;
    }
    triple[0] = first;
    triple[1] = others[0];
    triple[2] = others[1];
    return true;
}

bool argument_size(const char *text, int low, int high, int *width, int *height)
{
    int64_t pair[2];
    if (!argument_pair(text, 'x', low, high, pair)) {
        return false;
    }
    *width = (int)pair[0];
    *height = (int)pair[1];
    return true;
}

bool argument_seed(const char *text, uint64_t *seed)
{
    if (!isdigit((unsigned char)text[0])) {
        return false; // strtoull would turn -1 into the highest number
    }
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end;
    errno = 0;
    uint64_t number = strtoull(text, &end, hexadecimal ? 16 : 10);
    if (*end != '\0' || errno) {
        return false;
    }
    *seed = number;
    return true;
}

// getopt_long moves past a word of single letters, such as -zz, only after the last letter.
static const char *argument_unknown(char **argv)
{
    const char *last = argv[optind - 1];
    const char letter[] = {'-', (char)optopt, '\0'};
    bool here = optopt && strcmp(last, letter) != 0;
    return here ? argv[optind] : last;
}

bool argument_refuse(int option, int lowest, const char *help, char **argv, Message *problem)
{
    if (option == ':') {
        return message_set(problem, "%s needs a value; %s shows which.",
                           message_short(argv[optind - 1]).text, help);
    }
    // getopt_long reports a value given to an option that takes none in the same way as an unknown
    // option, with the option's number.
    if (optopt >= lowest) {
        return message_set(problem, "%s takes no value; leave it out.",
                           message_short(argv[optind - 1]).text);
    }
    return message_set(problem, "There is no option %s; %s lists them all.",
                       message_short(argument_unknown(argv)).text, help);
}
