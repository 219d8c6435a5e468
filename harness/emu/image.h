/* The program of a variant as the emulated machine sees it: what to map, the words of its code, and whose
 * code each instruction is. */
#ifndef CYCLELAB_EMU_IMAGE_H
#define CYCLELAB_EMU_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "harness/base/error.h"

enum { IMAGE_SEGMENTS = 8, IMAGE_PAGE = 4096 };

struct image_segment {
    uint64_t address, size; /* whole pages */
    unsigned char *bytes;   /* the pages' contents, on a page boundary */
    bool code;
};

/* Whose code an instruction is. Student code may go anywhere in IMAGE_OPEN. The glue it enters by a function
 * that it is handed (plan_handed), or by returning to it. */
enum image_place {
    IMAGE_NO_CODE, /* constants between code */
    IMAGE_OPEN,    /* the student's, and memcpy and its like */
    IMAGE_GLUE,
    IMAGE_GLUE_START,  /* the first instruction of a function of the glue, */
    IMAGE_GLUE_HANDED, /* and of one that student code may call */
    IMAGE_RUNNER,      /* start code, system calls: nobody's business */
};

struct image {
    struct image_segment segments[IMAGE_SEGMENTS];
    unsigned segment_count;
    uint64_t code;     /* address of the first instruction */
    size_t count;      /* instructions, four bytes each, without gaps */
    uint32_t *words;   /* one an instruction */
    uint8_t *places;   /* enum image_place, one an instruction */
    uint64_t *entries; /* plan_entries[] */
    struct image_handed {
        uint64_t function, gives_value;
    } * handed;        /* plan_handed[], NULL if there is none */
    uint64_t *counted; /* plan_counted[], as well */
    uint32_t entry_count, handed_count, counted_count;
};

/* The function of plan_handed[] that begins at `address`; NULL: none. */
const struct image_handed *image_handed(const struct image *image, uint64_t address);

/* Read a static AArch64 program. False with err when it is no such one, or has no plan_entries. */
bool image_open(struct image *image, const char *path, struct error *err);
void image_close(struct image *image);

#endif
