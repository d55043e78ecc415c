/// Worlds and schematics in zip archives. Builds without libzip, and those for Windows, only say so
/// (no_archive.c).
///
/// Nothing in an archive is trusted: names that lead out of a folder, encrypted entries, other
/// methods than "stored" and "deflated", and more bytes than a limit are refused. Only the files
/// that an import reads are unpacked, under names of ours.
#pragma once

#include "unpacked.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Unpacks the world or the schematic of an archive.
UnpackSource archive_unpack;

#ifdef __cplusplus
}
#endif
