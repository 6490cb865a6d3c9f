/*
 * cores.h - is there a core for more than the ranks themselves?
 */
#ifndef WARPSCOPE_RECORD_CORES_H
#define WARPSCOPE_RECORD_CORES_H

#include <stdbool.h>

/* May the ranks of this node use more cores than there are ranks of them on it? Collective. */
bool cores_to_spare(void);

#endif
