// Counts how often each outcome occurred: see tally_t in internal.h.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

// The size of the hash table. At most half of the slots are used, so that probing is short.
enum { SLOTS = 2048 };
_Static_assert(SLOTS >= 2 * CLITMUS_MOST_ROWS, "the table must have free places");

bool clitmus_tally_init(tally_t *tally, uint32_t width) {
    *tally = (tally_t){.width = width};
    tally->index = calloc(SLOTS, sizeof *tally->index);
    tally->counts = calloc(CLITMUS_MOST_ROWS, sizeof *tally->counts);
    tally->endings = calloc(CLITMUS_MOST_ROWS, sizeof *tally->endings);
    // One more, because `calloc` may return null for 0 bytes.
    tally->values = calloc((size_t)CLITMUS_MOST_ROWS * (width + 1), sizeof *tally->values);
    return tally->index && tally->counts && tally->endings && tally->values;
}

void clitmus_tally_free(tally_t *tally) {
    free(tally->index);
    free(tally->counts);
    free(tally->endings);
    free(tally->values);
}

static uint64_t hash(clitmus_ending ending, const int64_t *values, uint32_t width) {
    uint64_t sum = (uint64_t)ending;
    for (uint32_t number = 0; number < width; number++) {
        sum = (sum ^ (uint64_t)values[number]) * 0x9E3779B97F4A7C15u;
        sum ^= sum >> 29;
    }
    return sum;
}

void clitmus_tally_add(tally_t *tally, clitmus_ending ending, const int64_t *values, uint64_t count) {
    size_t bytes = tally->width * sizeof *values;
    uint64_t slot = hash(ending, values, tally->width) % SLOTS;
    for (;; slot = (slot + 1) % SLOTS) {
        uint32_t row = tally->index[slot];
        if (row == 0) break;
        row--;
        if (tally->endings[row] == (int32_t)ending && memcmp(&tally->values[row * tally->width], values, bytes) == 0) {
            tally->counts[row] += count;
            return;
        }
    }
    if (tally->count == CLITMUS_MOST_ROWS) {
        tally->others += count;
        return;
    }
    uint32_t row = tally->count++;
    tally->index[slot] = row + 1;
    tally->endings[row] = (int32_t)ending;
    tally->counts[row] = count;
    memcpy(&tally->values[row * tally->width], values, bytes);
}
