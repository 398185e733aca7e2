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
    29, 31, 37,
    41, 43, 47,
    53, 59, 61,
    67, 71, 73,
    79, 83, 89,
    97, 101, 103,
    107, 109, 113,
    127, 131, 137,
    139, 149, 151,
    157, 163, 167,
    173, 179, 181,
};

static unsigned hash(const char *key);
void *table_get(const table_t *table, const char *key);

/* FNV-1a, good enough for short keys. */
static unsigned hash(const char *key)
{
    unsigned h = 2166136261u;
    while (*key) {
        MIX(h, *key++);
    }
    return h % TABLE_SIZE;
}

/**
 * Puts a value into the table.
 */
enum result
table_put(table_t *table, const char *key, void *value)
{
    struct entry *entry = malloc(sizeof *entry);
#ifdef DEBUG
    fprintf(stderr, "put %s\n", key);
#endif
    if (entry == NULL) {
        return TABLE_FULL;
    }
    entry->key = (char *)key;
    entry->value = value;
    entry->next = table->places[hash(key)];
    table->places[hash(key)] = entry;
    return TABLE_OK;
}

size_t table_count(const table_t *table) { return table->count; }

static int (*pick(int reverse))(const char *, const char *) {
    if (reverse) {
        return compare_reverse;
    }
    return compare;
}

#if defined(TABLE_MAIN)
int main(int argc, char **argv) {
    table_t table = { .count = 0, .compare = pick(argc > 1) };
    for (int i = 1; i < argc; i++) {
        table_put(&table, argv[i], NULL);
    }
    return table_get(&table, "x") ? EXIT_SUCCESS : EXIT_FAILURE;
}
#endif
