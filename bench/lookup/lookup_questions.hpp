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
    miss_cold,
    neighbours,
    ready,
    build,
    churn,
    worst_step,
    bytes
};
inline constexpr int question_count = 15;

struct QuestionInfo {
    const char *name;    ///< in full: "gather the box"
    const char *heading; ///< in a table: "gather"
    const char *unit;    ///< "us" for one gather; "ns" and "bytes" for each chunk
};
const QuestionInfo &question_info(Question question);

inline Question question_at(int i)
{
    return static_cast<Question>(i);
}

/// Whether the figure is that of a whole walk; only some worlds have one.
inline bool comes_from_walks(Question question)
{
    return question == Question::churn || question == Question::worst_step;
}
