#include "unpacked.h"

bool unpacked_make(Unpacked *unpacked, const UnpackDef *def, Message *problem)
{
    (void)unpacked;
    return message_set(problem, "%s cannot be unpacked on Windows.", message_short(def->path).text);
}

void unpacked_remove(Unpacked *unpacked)
{
    (void)unpacked;
}
