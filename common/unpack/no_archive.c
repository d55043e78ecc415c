#include "archive.h"

bool archive_unpack(Unpacked *unpacked, const UnpackDef *def, Message *problem)
{
    (void)unpacked;
    return message_set(problem,
                       "This program was built without libzip and cannot read the archive %s; "
                       "unpack it, and name the folder.",
                       message_short(def->path).text);
}
