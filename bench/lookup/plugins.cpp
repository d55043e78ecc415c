#include "plugins.hpp"

#include <dlfcn.h>

#include "contenders/defaults.h"
#include "driver/child.hpp"

namespace {

const double load_seconds = 10;

using Export = const Contender *(*)(void);

/// The path for dlopen, which looks in the system's folders if there is no slash.
std::string as_path(const std::string &path)
{
    return path.find('/') == std::string::npos ? "./" + path : path;
}

std::string last_load_error()
{
    const char *text = dlerror();
    return text ? text : "unknown error";
}

const Contender *load(const std::string &path, std::string &problem)
{
    void *library = dlopen(as_path(path).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        problem = "it cannot be loaded: " + last_load_error();
        return nullptr;
    }
    const auto exported = reinterpret_cast<Export>(dlsym(library, "terrane_contender"));
    if (!exported) {
        problem = "it does not export terrane_contender(), which common/contender.h describes";
        return nullptr;
    }
    const Contender *contender = exported();
    char text[256];
    if (!contender_problem(contender, text, sizeof text)) {
        return contender;
    }
    problem = text;
    return nullptr;
}

} // namespace

const Contender *load_contender(const std::string &path,
                                const std::vector<const Contender *> &taken, std::string &problem)
{
    Child trial([&path](const Parent &parent) {
        std::string why;
        const bool good = load(path, why) != nullptr;
        parent.reply({good ? Reply::fine : Reply::refused, why, {}});
    });
    const Reply tried = trial.await(load_seconds);
    if (tried.verdict != Reply::fine) {
        problem = tried.text + (tried.verdict == Reply::lost ? " while it was loaded" : "");
        return nullptr;
    }
    const Contender *contender = load(path, problem);
    for (const Contender *other : taken) {
        if (contender && std::string(other->name) == contender->name) {
            problem = "its name, '" + std::string(contender->name) + "', is taken";
            return nullptr;
        }
    }
    return contender;
}
