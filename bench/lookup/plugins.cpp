#include "plugins.hpp"

#include "contenders/defaults.h"
#include "driver/child.hpp"
#include "system.h"

namespace {

const double load_seconds = 10;

using Export = const Contender *(*)(void);

const Contender *load(const std::string &path, std::string &problem)
{
    Message why;
    const auto exported =
        reinterpret_cast<Export>(system_load_function(path.c_str(), "terrane_contender", &why));
    if (!exported) {
        problem = why.text;
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
    Child trial([&path](Ask) {
        std::string why;
        const bool good = load(path, why) != nullptr;
        return Reply{good ? Reply::fine : Reply::refused, why, {}};
    });
    const Reply tried = trial.ask({}, load_seconds);
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
