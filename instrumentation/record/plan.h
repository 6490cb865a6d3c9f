/*
 * plan.h - which records a run makes, and of what.
 */
#ifndef WARPSCOPE_RECORD_PLAN_H
#define WARPSCOPE_RECORD_PLAN_H

#include "record/recorder.h"

/*
 * Takes up the options and the registrations: sets the recorder's options, payload types, and which
 * files are in use with which records. Makes nothing. Collective; the status is agreed, the message
 * printed.
 */
enum tw_status plan_make(struct recorder *recorder, const tw_pe *pe);

/*
 * The part of the plan about samples of models, once all LPs are initialised: models for ROSS 8 set
 * the sizes of their samples in init. Sets their payload types. Collective; the status is agreed,
 * the message printed.
 */
enum tw_status plan_models(struct recorder *recorder, const tw_pe *pe);

#endif
