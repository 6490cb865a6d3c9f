/* SPDX-License-Identifier: BSD-3-Clause */
/* crash.c - reports of crashes, see signals.h. */

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/lps/place.h"
#include "engine/process/run.h"
#include "run/signals.h"

#define STACK_BYTES ((size_t)64 << 10) /* size of the signal handler's stack in bytes */
/* A fault within this number of bytes of the end of the simulation's stack counts as a stack
 * overflow. */
#define NEAR_END ((uintptr_t)2 << 20)

static const struct {
    int number;
    const char *name;
} crashes[] = {{SIGSEGV, "SIGSEGV"},
               {SIGBUS, "SIGBUS"},
               {SIGILL, "SIGILL"},
               {SIGFPE, "SIGFPE"},
               {SIGABRT, "SIGABRT"}};
_Static_assert(sizeof crashes / sizeof *crashes == RUN_CRASHES, "one old action each");

static int crash_of(int number)
{
    int i = 0;
    while (crashes[i].number != number) {
        i++;
    }
    return i;
}

static bool has_handler(const struct sigaction *action)
{
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

static bool is_stack_end(uintptr_t address)
{
    uintptr_t end = g_run.crash.stack_end;
    return end != 0 && address > end - NEAR_END && address < end + NEAR_END;
}

static const char *const handler_names[] = {
    [PROBE_IN_INIT] = " in init",
    [PROBE_IN_EVENT] = " in the event handler",
    [PROBE_IN_TRIAL] = " in the event handler",
    [PROBE_IN_REVERSE] = " in the reverse handler",
    [PROBE_IN_COMMIT] = " in the commit handler",
    [PROBE_IN_FINAL] = " in final",
};

static void add_place(struct safe_text *t, const struct pe *pe)
{
    struct probe_now now = probe_now();
    if (!pthread_equal(pthread_self(), g_run.crash.thread)) {
        safe_text_add(t, " in another thread than the simulation's");
    } else if (now.context == PROBE_IN_NOTHING || now.lp == NULL) {
        safe_text_add(t, " outside of the model's handlers, GVT ");
        safe_text_add_real(t, now.ts);
    } else {
        safe_text_add(t, probe_is_guarded() ? " in an observer" : handler_names[now.context]);
        safe_text_add(t, " of ");
        place_add_lp(t, now.lp);
        place_add_event(t, pe, &now);
    }
}

static void say(int number, const siginfo_t *info)
{
    struct safe_text t = {.length = 0};
    const struct pe *pe = pe_self();
    uintptr_t address = (uintptr_t)info->si_addr;
    bool is_access = (number == SIGSEGV || number == SIGBUS) && info->si_code > 0;
    const char *folder =
        tw_extension.recording_directory != NULL ? tw_extension.recording_directory() : NULL;
    place_add_program(&t, pe, "error: ");
    safe_text_add(&t, crashes[crash_of(number)].name);
    if (is_access && is_stack_end(address)) {
        safe_text_add(&t, " (the stack is full)");
    } else if (is_access) {
        safe_text_add(&t, " at address ");
        safe_text_add_hex(&t, address);
    }
    add_place(&t, pe);
    if (folder != NULL) {
        safe_text_add(&t, "; for what was recorded in ");
        safe_text_add(&t, folder);
        safe_text_add(&t, ": warpscope recover ");
        safe_text_add(&t, folder);
    }
    safe_text_write_line(&t, STDERR_FILENO);
}

/* Handler for crash signals: reports the crash and restores the previous action, so that the signal
 * takes effect when it comes again. After a fault, the handler returns, and the failed instruction
 * with its registers causes the fault again. A signal without a fault is raised again by the
 * handler. */
static void crashed(int number, siginfo_t *info, void *context)
{
    (void)context;
    sigaction(number, &g_run.crash.old_actions[crash_of(number)], NULL);
    if (pe_self() != NULL) {
        say(number, info);
    }
    if (info->si_code <= 0) {
        raise(number);
    }
}

/* Allocates a stack for signal handlers, unless the thread has one already. Also estimates the end
 * of the thread's own stack. */
static void make_stack(struct run_crash *crash)
{
    assert(crash->stack == NULL);
    stack_t old;
    struct rlimit limit;
    char here;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < (uintptr_t)&here) {
        crash->stack_end = (uintptr_t)&here - (uintptr_t)limit.rlim_cur;
    }
    if (sigaltstack(NULL, &old) != 0 || (old.ss_flags & SS_DISABLE) == 0) {
        return;
    }
    crash->stack = malloc(STACK_BYTES);
    stack_t stack = {.ss_sp = crash->stack, .ss_size = STACK_BYTES};
    if (crash->stack != NULL && sigaltstack(&stack, NULL) != 0) {
        free(crash->stack);
        crash->stack = NULL;
    }
}

void crash_see_handlers(void)
{
    for (int i = 0; i < RUN_CRASHES; i++) {
        struct sigaction now = {0};
        sigaction(crashes[i].number, NULL, &now);
        g_run.crash.is_programs[i] = has_handler(&now) && (now.sa_flags & (int)SA_RESETHAND) == 0 &&
                                     !signals_is_of_mpi(&now);
    }
}

void crash_watch(void)
{
    struct run_crash *crash = &g_run.crash;
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    crash->thread = pthread_self();
    make_stack(crash);
    for (int i = 0; i < RUN_CRASHES; i++) {
        struct sigaction *old = &crash->old_actions[i];
        sigaction(crashes[i].number, NULL, old);
        if (!crash->is_programs[i] && old->sa_handler != SIG_IGN) {
            sigaction(crashes[i].number, &action, NULL);
        }
    }
}

void crash_unwatch(void)
{
    struct run_crash *crash = &g_run.crash;
    for (int i = 0; i < RUN_CRASHES; i++) {
        struct sigaction now = {0};
        sigaction(crashes[i].number, NULL, &now);
        if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == crashed) {
            sigaction(crashes[i].number, &crash->old_actions[i], NULL);
        }
    }
    stack_t now;
    if (crash->stack != NULL && sigaltstack(NULL, &now) == 0 && now.ss_sp == crash->stack) {
        sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
        free(crash->stack);
        crash->stack = NULL;
    }
}
