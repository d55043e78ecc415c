#include "driver/text_buffer.hpp"

#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX // libstdc++ defines it
#define NOMINMAX
#endif
#include <windows.h>

struct TextBuffer::Memory {};

TextBuffer::TextBuffer()
{
    char folder[MAX_PATH + 1], name[MAX_PATH + 1];
    if (GetTempPathA(sizeof folder, folder) && GetTempFileNameA(folder, "trn", 0, name)) {
        stream_ = std::fopen(name, "w+bTD"); // T: in memory if possible; D: removed when closed
    }
}

TextBuffer::~TextBuffer()
{
    if (stream_) {
        std::fclose(stream_);
    }
}

bool TextBuffer::take(std::string &text)
{
    std::fseek(stream_, 0, SEEK_END);
    const long size = std::ftell(stream_);
    std::rewind(stream_);
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    const bool is_whole =
        size >= 0 && std::fread(text.data(), 1, text.size(), stream_) == text.size();
    const bool is_good = is_whole && !std::ferror(stream_);
    std::fclose(stream_);
    stream_ = nullptr;
    return is_good;
}
