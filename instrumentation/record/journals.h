/*
 * journals.h - buffers that outlive the run, for all streams.
 */
#ifndef WARPSCOPE_RECORD_JOURNALS_H
#define WARPSCOPE_RECORD_JOURNALS_H

#include "record/recorder.h"

/*
 * Has the buffers of all open streams kept in journals beside the files, where that can be done;
 * otherwise rank 0 says once why not, and the run goes on. Collective.
 */
void journals_create(struct recorder *recorder, const tw_pe *pe);

#endif
