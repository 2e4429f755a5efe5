/* saxpy on a modelled GPU, and what bounds it: cc saxpy.c $(pkg-config --cflags --libs lockstep) */
#include <lockstep.h>
#include <stdio.h>
#include <stdlib.h>

static lockstep_error* error;

static void check(int result) {
  if (result == 0) return;
  fprintf(stderr, "%s\n", lockstep_error_text(error));
  exit(1);
}

int main(int argc, char** argv) {
  enum { n = 1024 };
  static float x[n], y[n];
  lockstep_report* report;
  if (argc < 2) {
    fprintf(stderr, "usage: %s saxpy.cl [GPU]\n", argv[0]);
    return 2;
  }
  for (int i = 0; i < n; i++) {
    x[i] = (float)i;
    y[i] = 1;
  }
  lockstep_launch* launch = lockstep_launch_create(argv[1], argc > 2 ? argv[2] : "mi25");
  check(lockstep_launch_set(launch, "global", "1024", &error));
  check(lockstep_launch_set(launch, "local", "256", &error));
  check(lockstep_launch_set(launch, "arg", "n=1024", &error));
  check(lockstep_launch_set(launch, "arg", "a=2", &error));
  check(lockstep_launch_buffer(launch, "x", "float", x, sizeof x, &error));
  check(lockstep_launch_buffer(launch, "y", "float", y, sizeof y, &error));
  check(lockstep_launch_run(launch, &report, &error));
  check(lockstep_launch_read(launch, "y", y, sizeof y, NULL, &error));
  printf("y[3] is %g; %s in %g ns\n", y[3], lockstep_report_status(report), lockstep_report_time_ns(report));
  fputs(lockstep_report_text(report), stdout);
  lockstep_report_free(report);
  lockstep_launch_free(launch);
  return 0;
}
