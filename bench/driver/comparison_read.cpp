// Reads a report that --json wrote. Not built for browsers, which have no files.

#include <cjson/cJSON.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

#include "driver/comparison.hpp"
#include "driver/report.hpp"
#include "printable.h"

namespace {

using Json = std::unique_ptr<cJSON, decltype(&cJSON_Delete)>;

/// The text of a member; empty if it is missing or no text.
std::string text_of(const cJSON *object, const char *name)
{
    const cJSON *const member = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(member) ? printable(member->valuestring) : "";
}

/// The number of a member; 0 if it is missing or null.
double number_of(const cJSON *object, const char *name)
{
    const cJSON *const member = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(member) ? member->valuedouble : 0;
}

OldRow row_of(const cJSON *result)
{
    const double samples = number_of(result, "repetitions");
    return {text_of(result, "question"),
            text_of(result, "world"),
            text_of(result, "contender"),
            text_of(result, "unit"),
            {number_of(result, "min"), number_of(result, "median"), number_of(result, "max"),
             number_of(result, "spread")},
            samples > 0 && samples < 1e9 ? static_cast<std::size_t>(samples) : 0};
}

bool refuse_old(const std::string &path, const std::string &why)
{
    std::fprintf(stderr, "terrane-bench: %s %s. Name a file that --json of the same topic wrote.\n",
                 printable(path).c_str(), printable(why).c_str());
    return false;
}

} // namespace

bool read_old_run(const std::string &path, const std::string &topic, OldRun &run)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) {
        return refuse_old(path, "cannot be read");
    }
    const std::string bytes = text.str();
    const Json json(cJSON_ParseWithLength(bytes.data(), bytes.size()), cJSON_Delete);
    const cJSON *const results = cJSON_GetObjectItemCaseSensitive(json.get(), "results");
    if (!cJSON_IsArray(results)) {
        return refuse_old(path, "is no report of terrane-bench");
    }
    run = {path,
           text_of(json.get(), "topic"),
           text_of(json.get(), "date"),
           text_of(json.get(), "commit"),
           text_of(json.get(), "processor"),
           text_of(json.get(), "flags"),
           {}};
    if (run.topic != topic) {
        return refuse_old(path, "is a report of topic '" + run.topic + "', not of " + topic);
    }
    const cJSON *result = nullptr;
    cJSON_ArrayForEach(result, results)
    {
        run.rows.push_back(row_of(result));
    }
    return true;
}
