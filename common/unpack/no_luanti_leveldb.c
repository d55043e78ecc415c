#include "luanti_readers.h"

bool luanti_copy_leveldb(LuantiMap *map)
{
    return luanti_copy_fail(map, "it is in LevelDB, and this program was built without it; convert "
                                 "it with 'luanti --server --migrate sqlite3'");
}
