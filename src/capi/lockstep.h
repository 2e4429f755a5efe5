/* Lockstep from C: a kernel's launch on a modelled GPU, its report, comparisons and searches. docs/c-api.md.
 *
 * Functions that can fail return 0, or a number that is not 0 and, where `error` is not null, an error in
 * *error, which lockstep_error_free() frees. Texts are UTF-8. Texts that a function gives by `char**` are
 * freed by lockstep_free(); those that it returns live as long as the object that they come from. Different
 * objects may be used by different threads at once, one object by one thread at a time. */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LOCKSTEP_API __attribute__((visibility("default")))
#else
#define LOCKSTEP_API
#endif

/* Grows when something is added; what is there keeps its meaning. */
#define LOCKSTEP_API_VERSION 1
LOCKSTEP_API int lockstep_api_version(void);
LOCKSTEP_API const char* lockstep_version(void); /* "0.1.0" */

/* What went wrong, where, and what to try. */
typedef struct lockstep_error lockstep_error;
LOCKSTEP_API const char* lockstep_error_code(const lockstep_error* error); /* stable: "unknown-machine" */
LOCKSTEP_API const char* lockstep_error_message(const lockstep_error* error);
LOCKSTEP_API const char* lockstep_error_hint(const lockstep_error* error); /* may be empty */
LOCKSTEP_API const char* lockstep_error_file(const lockstep_error* error); /* may be empty */
LOCKSTEP_API unsigned lockstep_error_line(const lockstep_error* error);    /* from 1; 0: unknown */
LOCKSTEP_API unsigned lockstep_error_column(const lockstep_error* error);
LOCKSTEP_API const char* lockstep_error_text(
    const lockstep_error* error); /* all of it, as the program says it */
LOCKSTEP_API void lockstep_error_free(lockstep_error* error);

LOCKSTEP_API void lockstep_free(char* text);

/* The modelled GPUs, as JSON: a list of {id, name, vendor, target, timed}. */
LOCKSTEP_API int lockstep_gpus(char** json, lockstep_error** error);

/* Groups and waves that a compute unit holds, as JSON: `views.occupancy` of a report. Registers are a lane's,
 * scalar registers a wave's (0 where the GPU has none), local memory a group's, in bytes. */
LOCKSTEP_API int lockstep_occupancy(const char* gpu, unsigned group_items, unsigned vector_registers,
                                    unsigned scalar_registers, size_t local_bytes, char** json,
                                    lockstep_error** error);

/* A launch: a program, a GPU (null: the first of $LOCKSTEP_GPU or of the configuration's file, else mi25),
 * sizes and arguments. */
typedef struct lockstep_launch lockstep_launch;
LOCKSTEP_API lockstep_launch* lockstep_launch_create(const char* file, const char* gpu);
LOCKSTEP_API void lockstep_launch_free(lockstep_launch* launch);

/* Sets or adds one thing, worded as `lockstep run` takes it. Set: "file", "gpu", "kernel", "clock", "global",
 * "grid", "local", "offset" (X[,Y[,Z]]), "dynamic-local", "bank-bytes", "options", "O", "check";
 * "functional", "cold", "what-if" ("0" or "1"), "repeat", "threads", "max-instructions". Added, as often as
 * wanted: "arg", "symbol" (NAME=...), "define". */
LOCKSTEP_API int lockstep_launch_set(lockstep_launch* launch, const char* key, const char* value,
                                     lockstep_error** error);

/* A buffer's contents, which are copied. `type` is that of its elements ("float", "int", "uchar"), or null:
 * then they fit any pointer. */
LOCKSTEP_API int lockstep_launch_buffer(lockstep_launch* launch, const char* name, const char* type,
                                        const void* data, size_t bytes, lockstep_error** error);
/* A value's bytes, a structure's as well. */
LOCKSTEP_API int lockstep_launch_value(lockstep_launch* launch, const char* name, const void* data,
                                       size_t bytes, lockstep_error** error);

/* Asked now and then while something runs; any other answer than 0 ends it there. */
typedef int (*lockstep_progress)(void* user, const char* what, double done);
LOCKSTEP_API void lockstep_launch_progress(lockstep_launch* launch, lockstep_progress progress, void* user);

/* What a launch did. One that failed, or in which checks found something, has a report as well. */
typedef struct lockstep_report lockstep_report;
LOCKSTEP_API int lockstep_launch_run(lockstep_launch* launch, lockstep_report** report,
                                     lockstep_error** error);
/* What a buffer or image argument holds behind the last run. `size` is what is there; `data` may be null to
 * ask for it, else `bytes` must not be less. */
LOCKSTEP_API int lockstep_launch_read(lockstep_launch* launch, const char* name, void* data, size_t bytes,
                                      size_t* size, lockstep_error** error);

LOCKSTEP_API const char* lockstep_report_json(const lockstep_report* report); /* docs/report.schema.json */
LOCKSTEP_API const char* lockstep_report_text(const lockstep_report* report);
LOCKSTEP_API const char* lockstep_report_status(
    const lockstep_report* report); /* "done", "failed", "stopped" */
LOCKSTEP_API const char* lockstep_report_printed(const lockstep_report* report); /* by the kernel's printf */
LOCKSTEP_API double lockstep_report_time_ns(const lockstep_report* report);      /* below 0: not timed */
LOCKSTEP_API void lockstep_report_free(lockstep_report* report);

/* The launch on several GPUs (ids by commas), as JSON: {version, launches}; docs/tuning.md. */
LOCKSTEP_API int lockstep_compare(const lockstep_launch* launch, const char* gpus, unsigned threads,
                                  char** json, lockstep_error** error);
/* Two reports, before and after a change, as JSON. */
LOCKSTEP_API int lockstep_compare_reports(const char* before, const char* after, char** json,
                                          lockstep_error** error);
/* Every point of a grid, as JSON: {version, points, measured, found}. `space` and `where` as `lockstep tune`
 * takes them, each ended by a null; `database` null or empty: nothing is kept. */
LOCKSTEP_API int lockstep_tune(const lockstep_launch* launch, const char* const* space,
                               const char* const* where, const char* database, unsigned jobs, char** json,
                               lockstep_error** error);

#ifdef __cplusplus
}
#endif
#endif
