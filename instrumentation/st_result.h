/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_result.h - status codes returned by the functions of st_bus.h, st_task.h and st_log.h.
 * Includes no other header.
 */
#ifndef WARPSCOPE_ST_RESULT_H
#define WARPSCOPE_ST_RESULT_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum st_result {
    ST_OK = 0,
    ST_DUPLICATE, /* already done; nothing has changed, unless the function's comment says so */
    ST_RESTORED,  /* an ended registration is active again, at its old place in the order */
    ST_INVALID,   /* invalid argument; nothing has changed */
    ST_NOT_FOUND, /* the object does not exist */
    ST_FULL,      /* a table is full */
    ST_NO_MEMORY,
    ST_WRONG_STATE, /* the function cannot be called now; see its comment */
    ST_IO           /* writing to a file failed */
} st_result;

#ifdef __cplusplus
}
#endif

#endif
