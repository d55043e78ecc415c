/// Zip archives: what is unpacked lies in the archive's own folder, is no larger than allowed, and
/// is removed again.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include <sys/stat.h>
#include <unistd.h>

#include "archive.h"
#include "fuzz_files.h"

#define BYTES_MAX ((uint64_t)1 << 20)

int fuzz_archive(const uint8_t *bytes, size_t size);

int fuzz_archive(const uint8_t *bytes, size_t size)
{
    char folder[FUZZ_FOLDER_BYTES], path[FUZZ_PATH_BYTES];
    struct stat there;
    Message problem = {""};
    Unpacked archive;
    fuzz_begin_folder(folder);
    fuzz_path(path, folder, "a.zip");
    fuzz_write_file(path, bytes, size);
    const bool is_good = archive_unpack(
        &archive, &(UnpackDef){.path = path, .beside = path, .bytes_max = BYTES_MAX}, &problem);
    FUZZ_REQUIRE(is_good || problem.text[0]);
    if (is_good) {
        FUZZ_REQUIRE(archive.folder[0] &&
                     strncmp(archive.source, archive.folder, strlen(archive.folder)) == 0);
        FUZZ_REQUIRE(strstr(archive.source, "/../") == NULL && stat(archive.source, &there) == 0);
        FUZZ_REQUIRE(!S_ISREG(there.st_mode) || (uint64_t)there.st_size <= BYTES_MAX);
    }
    unpacked_remove(&archive);
    FUZZ_REQUIRE(unlink(path) == 0);
    fuzz_end_folder(folder); // nothing else is left in it
    return 0;
}
