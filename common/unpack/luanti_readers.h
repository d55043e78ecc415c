/// Private: what reads maps of Luanti in other databases. Each begins the copy and adds all of its
/// map blocks, or says that this program was built without it.
#pragma once

#include "luanti_copy.h"

/// Of a world's folder. @return false with the problem
bool luanti_copy_leveldb(LuantiMap *map);

/// Of a database, by its URL. @return false with the problem
bool luanti_copy_postgres(LuantiMap *map);
