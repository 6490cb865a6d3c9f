/*
 * st_result.h - what functions of st_bus.h, st_task.h and st_log.h return. Depends on nothing.
 */
#ifndef WARPSCOPE_ST_RESULT_H
#define WARPSCOPE_ST_RESULT_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum st_result {
    ST_OK = 0,
    ST_DUPLICATE, /* it was there (or gone) already; nothing has changed unless said otherwise */
    ST_RESTORED,  /* what had been removed is there again, at its old place */
    ST_INVALID,   /* an argument makes no sense; nothing has changed */
    ST_NOT_FOUND, /* there is no such thing */
    ST_FULL,      /* a table has no room left */
    ST_NO_MEMORY,
    ST_WRONG_STATE, /* not now: see the function */
    ST_IO           /* writing failed */
} st_result;

#ifdef __cplusplus
}
#endif

#endif
