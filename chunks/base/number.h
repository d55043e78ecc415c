/// Private: numbers in files, little-endian on every machine.
#ifndef TERRANE_BASE_NUMBER_H
#define TERRANE_BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/// Reads a number of 1 to 8 bytes.
static inline uint64_t trn_number_read(const unsigned char *from, size_t bytes)
{
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++) {
        number |= (uint64_t)from[i] << 8 * i;
    }
    return number;
}

/// Writes the lowest bytes of a number.
static inline void trn_number_write(unsigned char *to, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        to[i] = (unsigned char)(number >> 8 * i);
    }
}

#endif
