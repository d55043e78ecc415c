#include "luanti_readers.h"

bool luanti_copy_postgres(LuantiMap *map)
{
    return luanti_copy_fail(map, "this program was built without PostgreSQL; convert it with "
                                 "'luanti --server --migrate sqlite3'");
}
