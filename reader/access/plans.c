/* SPDX-License-Identifier: BSD-3-Clause */
/* plans.c - see plans.h. */
#include "access/plans.h"

#include <assert.h>

void ws_plans_fill(int32_t *plans, struct ws_file *file, const struct ws_table_schema *kind,
                   const struct fmt_block *block, const struct ws_rows *rows)
{
    const struct fmt_columns *columns = rows->columns;
    int32_t type_field = columns->schema->role_field[FMT_ROLE_PAYLOAD_TYPE], plan = WS_PLAN_NONE;
    uint32_t type = 0, last_type = 0;
    uint64_t last_size = 0;
    const char *words = NULL;
    assert(columns->payload_offset != NULL);
    for (uint32_t i = 0; i < rows->n; i++) {
        uint32_t row = ws_rows_row(rows, i);
        uint64_t size = columns->payload_offset[row + 1] - columns->payload_offset[row];
        if (type_field >= 0) {
            type = (uint32_t)fmt_columns_value(columns, (uint32_t)type_field, row).as.u;
        }
        if (i == 0 || type != last_type || size != last_size) {
            plan = ws_table_schema_plan(kind, type, size, &words);
            last_type = type;
            last_size = size;
        }
        if (words != NULL) {
            ws_file_block_fault(file, block, words);
        }
        plans[row] = plan;
    }
}
