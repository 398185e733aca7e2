/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include "table.h"

#define TABLE_SIZE 64
#define MIX(h, c)            \
    do {                     \
        (h) ^= (unsigned)(c); \
        (h) *= 16777619u;    \
    } while (0)

/** One entry, linked to the next in its place. */
struct entry {
    char *key;
    void *value;
    struct entry *next;
};

typedef struct table {
    struct entry *places[TABLE_SIZE];
    size_t count;
    int (*compare)(const char *, const char *);
} table_t;

enum result { TABLE_OK, TABLE_FULL = 4, TABLE_MISSING };

static const unsigned short primes[] = {
    2, 3, 5,
    7, 11, 13,
    17, 19, 23,
    // ... (11 lines)
};

static unsigned hash(const char *key);
void *table_get(const table_t *table, const char *key);

/* FNV-1a, good enough for short keys. */
static unsigned hash(const char *key)
{
    // ... (5 lines)
}

/**
 * Puts a value into the table.
 */
enum result
table_put(table_t *table, const char *key, void *value)
{
    // ... (12 lines)
}

size_t table_count(const table_t *table) { return table->count; }

static int (*pick(int reverse))(const char *, const char *) {
    // ... (4 lines)
}

#if defined(TABLE_MAIN)
int main(int argc, char **argv) {
    // ... (5 lines)
}
#endif
