/* Exercise 18: the contract. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>

/* ---- server.c: a store of records in memory, and requests to it ---- */

enum { BANDS = 8, LEVELS = 256, BATCH = 64 };

/* A record fills a cache line, and lies at the beginning of one. */
struct record {
    uint64_t key; /* any number, 0 and 2^64 - 1 too; each record has another */
    uint32_t size;
    uint32_t rest[13]; /* of no matter here */
};

/* What a request asks for. */
enum kind {
    PING,  /* nothing: the answer is the request's key */
    GET,   /* the size of the record with this key; NO_RECORD where there is none */
    SCAN,  /* the sizes of the records first to last - 1, added up; 0 <= first <= last <= count */
    COUNT, /* how many of the batch's samples are in each band: those of band b in byte b of the answer */
    CHECK, /* the sum of the batch's words modulo `modulus`, which is from 1 to 2^32 - 1 */
};
#define NO_RECORD UINT64_MAX

/* What its kind does not ask with may be anything: 0 to divide by, a pointer to nowhere. */
struct request {
    uint32_t kind; /* of enum kind */
    uint32_t modulus;
    uint64_t key;
    uint32_t first, last;
    const uint8_t *samples; /* COUNT: BATCH of them */
    const uint32_t *words;  /* CHECK: BATCH of them */
};

struct store {
    const struct record *records;
    size_t count;
    /* A sample below limits[0] is in band 0, another one below limits[1] in band 1, and so on; what is not
     * below limits[BANDS - 2] is in band BANDS - 1. They do not fall. */
    uint8_t limits[BANDS - 1];
    /* 16 bytes for each record and 8 KiB, aligned to a cache line, for whatever you want to keep while the
     * requests of a call are served; what is in it before and after means nothing. */
    void *scratch;
};

/* Set answers[i] to the answer of requests[i], for all i below n. The store does not change meanwhile. n and
 * store->count may be 0, each without the other. */
void serve(const struct store *store, const struct request *requests, size_t n, uint64_t *answers);

/* ---- diagnosis.c: what is slow in the server as it came, for your workload ---- */

/* Your number, from 1 to 2^32 - 1: it decides what your workload asks for most. */
#define STUDENT_NUMBER(N) __attribute__((used)) static const uint32_t student_number = (N)

/* The server's parts, called as its functions are. */
enum place { PLACE_NOT_NAMED, IN_INDEX = 101, IN_FIND, IN_SCAN, IN_COUNT, IN_CHECK, IN_SERVE };

/* What most of a part's time is spent on. */
enum class {
    CLASS_NOT_NAMED,
    LOADS_IN_A_CHAIN, /* the address of a load is what the load before has brought */
    BYTES_MOVED,      /* cache lines are brought in of which little is used */
    MISPREDICTIONS,   /* branches go by data that nobody can guess */
    SLOW_OPERATION,   /* one instruction takes long, and each waits for the one before */
};

struct bottleneck {
    uint32_t place; /* of enum place */
    uint32_t class; /* of enum class */
};

/* The three parts of the server that take most of your workload's time: found[0] is the worst, the other two
 * come in any order. */
void diagnose(struct bottleneck found[3]);

#endif
