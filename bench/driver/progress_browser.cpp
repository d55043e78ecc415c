#include "driver/progress.hpp"

#include <emscripten.h>

// clang-format off
EM_JS(void, page_tell_progress, (const char *line), {
    if (Module.progress) Module.progress(UTF8ToString(line));
});
// clang-format on

namespace bench {

void show_progress(const std::string &line)
{
    page_tell_progress(line.c_str());
}

void wipe_progress()
{
}

} // namespace bench
