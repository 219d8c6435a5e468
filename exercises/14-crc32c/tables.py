#!/usr/bin/env python3
"""Writes tables.h: the tables of CRC-32C for one byte at each of eight places, and for CRC32C_BLOCK bytes of zeros."""

POLYNOMIAL = 0x82F63B78  # Castagnoli's, reflected
BLOCK = 1024


def step(crc, bits):
    for _ in range(bits):
        crc = crc >> 1 ^ (POLYNOMIAL if crc & 1 else 0)
    return crc


def rows(table):
    lines = []
    for row in table:
        lines.append("    {")
        lines += ["        " + " ".join(f"0x{x:08x}," for x in row[i : i + 9]) for i in range(0, 256, 9)]
        lines.append("    },")
    return "\n".join(lines)


# Bytes of zeros behind byte b at place 0, 1, ...
by_place = [[step(b, 8 * (place + 1)) for b in range(256)] for place in range(8)]

# A block of zeros is a linear map: of each bit first, then of each byte.
of_bit = [step(1 << bit, 8 * BLOCK) for bit in range(32)]
skip = []
for byte in range(4):
    row = []
    for b in range(256):
        crc = 0
        for bit in range(8):
            if b >> bit & 1:
                crc ^= of_bit[8 * byte + bit]
        row.append(crc)
    skip.append(row)

print(f"""/* Exercise 14: tables, written by tables.py beside this file. */
#ifndef TABLES_H
#define TABLES_H

#include <stdint.h>

enum {{ CRC32C_BLOCK = {BLOCK} }};

/* crc32c_table[k][b]: what byte b leaves in the register when k more bytes of zeros follow. */
__attribute__((unused)) static const uint32_t crc32c_table[8][256] = {{
{rows(by_place)}
}};

/* crc32c_skip[k][b]: what byte k of the register, b, has become after CRC32C_BLOCK bytes of zeros. */
__attribute__((unused)) static const uint32_t crc32c_skip[4][256] = {{
{rows(skip)}
}};

#endif""")
