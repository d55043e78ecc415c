#include "archive.h"

bool archive_unpack(Archive *archive, const char *path, const char *beside, uint64_t bytes_max,
                    bool (*goes_on)(void *user), void *user, Message *problem)
{
    (void)archive;
    (void)beside;
    (void)bytes_max;
    (void)goes_on;
    (void)user;
    return message_set(problem,
                       "This program was built without libzip and cannot read the archive %s; "
                       "unpack it, and name the folder.",
                       message_short(path).text);
}

void archive_remove(Archive *archive)
{
    (void)archive;
}
