/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plans.h - the plans (table_schema.h) for the payloads of the chosen records of a block.
 */
#ifndef WARPSCOPE_READER_ACCESS_PLANS_H
#define WARPSCOPE_READER_ACCESS_PLANS_H

#include "access/record_file.h"
#include "access/table_schema.h"

/* Stores the plan of each chosen record at plans[number of the record]. Payload type, sizes and
 * payloads of the block must be decoded. An invalid payload counts as a fault of the file. */
void ws_plans_fill(int32_t *plans, struct ws_file *survey, const struct ws_table_schema *kind,
                   const struct fmt_block *block, const struct ws_rows *rows);

#endif
