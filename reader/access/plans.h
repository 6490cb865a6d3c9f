/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plans.h - finds the plans (table_schema.h) for the payloads of records in a block.
 */
#ifndef WARPSCOPE_READER_ACCESS_PLANS_H
#define WARPSCOPE_READER_ACCESS_PLANS_H

#include "access/record_file.h"
#include "access/table_schema.h"

/* For each record i of the block that `rows` lists, stores in plans[i] the plan for the payload of
 * the record. Payload types, sizes and payloads of the block must be decoded. An invalid payload
 * counts as a fault of the file. */
void ws_plans_fill(int32_t *plans, struct ws_file *file, const struct ws_table_schema *kind,
                   const struct fmt_block *block, const struct ws_rows *rows);

#endif
