/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_result.h - status codes of the functions of st_bus.h, st_task.h and st_log.h. No
 * dependencies.
 */
#ifndef WARPSCOPE_ST_RESULT_H
#define WARPSCOPE_ST_RESULT_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum st_result {
    ST_OK = 0,
    ST_DUPLICATE, /* already done; nothing has changed unless stated otherwise */
    ST_RESTORED,  /* a registration that had ended is active again, at its old place */
    ST_INVALID,   /* invalid argument; nothing has changed */
    ST_NOT_FOUND, /* no such object exists */
    ST_FULL,      /* a table is full */
    ST_NO_MEMORY,
    ST_WRONG_STATE, /* the call is not possible now; see the function */
    ST_IO           /* writing failed */
} st_result;

#ifdef __cplusplus
}
#endif

#endif
