/// Makes texts from files and command lines safe to print on a terminal.
#pragma once

#include <string>

#include "message.h"

/// Returns a text with control characters escaped (message.h).
/// @param keeps_lines  the ends of lines stay
inline std::string printable(const std::string &text, bool keeps_lines = true)
{
    std::string escaped(4 * text.size() + 1, '\0');
    escaped.resize(message_escape(text.c_str(), keeps_lines, escaped.data(), escaped.size()));
    return escaped;
}
