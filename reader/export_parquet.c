#include "export.h"
const struct ws_export_format ws_export_parquet = {
    .name = "parquet", .extension = "parquet", .missing = "not yet"};
