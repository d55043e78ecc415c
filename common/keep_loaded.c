/// Linked into programs that draw, in builds with AddressSanitizer. Keeps libraries loaded, so that
/// a leak report names the driver that leaked and tests/lsan.supp can exclude it.
#include <dlfcn.h>

// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): libc's name is reserved
__attribute__((visibility("default"))) int dlclose(void *library)
{
    (void)library;
    return 0;
}
