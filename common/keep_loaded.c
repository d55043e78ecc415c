/// Linked into the viewer in builds for AddressSanitizer: libraries stay loaded, so that a leak
/// report names the driver that leaked and tests/lsan.supp can tell it from ours.
#include <dlfcn.h>

// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): libc's name is reserved
__attribute__((visibility("default"))) int dlclose(void *library)
{
    (void)library;
    return 0;
}
