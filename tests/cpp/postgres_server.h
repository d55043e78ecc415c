/// A PostgreSQL server for tests in C++ (shared/postgres_place.h).
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Starts it. @return the URL of an empty database; NULL: this system has none
const char *postgres_server_begin(void);
void postgres_server_end(void);

#ifdef __cplusplus
}
#endif
