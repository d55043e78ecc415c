/// The questions of topic `lookup`.
#pragma once

#include <cstddef>
#include <cstdint>

/// In the order of the report.
enum class Question : std::uint32_t {
    gather,
    gather_cold,
    gather_frustum,
    gather_visible,
    iterate,
    find,
    miss,
    find_cold,
    miss_cold,
    neighbours,
    ready,
    build,
    churn,
    worst_step,
    bytes
};

/// The call of a contender that answers a question.
enum class Call : std::uint8_t {
    gather,
    gather_frustum,
    gather_visible,
    gather_all,
    gather_ready,
    find,
    find_absent,
    neighbours,
    insert, ///< into a new container
    walk    ///< a moving world, with a separate container
};

struct QuestionInfo {
    const char *name; ///< "gather the box"
    const char *unit; ///< "us" for one call or step; "ns" and "bytes" for each chunk
    Call call;
    bool is_cold = false; ///< the caches are emptied before each call
};

inline constexpr QuestionInfo question_infos[] = {
    {"gather the box", "us", Call::gather},
    {"gather the box, caches cold", "us", Call::gather, true},
    {"gather a frustum", "us", Call::gather_frustum},
    {"gather visible only", "us", Call::gather_visible},
    {"iterate all", "ns", Call::gather_all},
    {"find, present", "ns", Call::find},
    {"find, absent", "ns", Call::find_absent},
    {"find, caches cold", "ns", Call::find, true},
    {"find, absent, caches cold", "ns", Call::find_absent, true},
    {"six neighbours", "ns", Call::neighbours},
    {"ready: all six neighbours there", "ns", Call::gather_ready},
    {"build", "ns", Call::insert},
    {"churn of a moving world", "ns", Call::walk},
    {"worst single step of a walk", "us", Call::walk},
    {"bytes per chunk", "bytes", Call::insert},
};
inline constexpr std::size_t question_count = sizeof question_infos / sizeof *question_infos;

inline constexpr std::size_t place_of(Question question)
{
    return static_cast<std::size_t>(question);
}

inline constexpr const QuestionInfo &info_of(Question question)
{
    return question_infos[place_of(question)];
}
