#include "driver/text_buffer.hpp"

#include <cstdlib>

struct TextBuffer::Memory {
    char *text = nullptr; ///< [size]
    std::size_t size = 0;
    ~Memory()
    {
        std::free(text);
    }
};

TextBuffer::TextBuffer()
    : memory(std::make_unique<Memory>()), stream_(open_memstream(&memory->text, &memory->size))
{
}

TextBuffer::~TextBuffer()
{
    if (stream_) {
        std::fclose(stream_);
    }
}

bool TextBuffer::take(std::string &text)
{
    const bool is_whole = !std::ferror(stream_);
    const bool is_closed = std::fclose(stream_) == 0;
    stream_ = nullptr;
    text.assign(memory->text, memory->size);
    return is_whole && is_closed;
}
