/// What topic `lookup` asks of every contender.
#pragma once

/// In the order of the tables.
enum class Question {
    gather,
    gather_cold,
    gather_frustum,
    gather_visible,
    iterate,
    find,
    miss,
    find_cold,
    neighbours,
    ready,
    build,
    churn,
    worst_step,
    bytes
};
inline constexpr int question_count = 14;

struct QuestionInfo {
    const char *name;    ///< in full: "gather the box"
    const char *heading; ///< in a table: "gather"
    const char *unit;    ///< "us" for one gather; "ns" and "bytes" for each chunk
};
const QuestionInfo &question_info(Question question);

/// Those of a chunk each come in nanoseconds or bytes per chunk, the others in microseconds.
inline Question question_at(int i)
{
    return static_cast<Question>(i);
}
