/* SPDX-License-Identifier: MIT
 * cmd_version.c - `gnd version`: version and build of the program. */
#include "common.h"

static int run(const cli_args *a);

static const opt_spec opts[] = {
    OPT_HEADING("options"), OPT_JSON, OPT_QUIET, OPT_HELP, OPT_END,
};

const command cmd_version = {
    .name = "version",
    .purpose = "version, kernels and build",
    .operands = "[options]",
    .examples = "  gnd version\n"
                "  GND_KERN=ref gnd version --json\n",
    .opts = opts,
    .min_operand = 0,
    .max_operand = 0,
    .run = run,
};

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown compiler"
#endif

#ifndef GND_BUILD_TYPE
#if defined(__OPTIMIZE__)
#define GND_BUILD_TYPE "optimised"
#else
#define GND_BUILD_TYPE "not optimised"
#endif
#endif

static int run(const cli_args *a)
{
    if (a->json) {
        json_t *o = json_object();

        js_set(o, "version", js_text(gnd_version()));
        js_set(o, "kernels", js_text(gnd_kernel_name()));
        js_set(o, "compiler", js_text(COMPILER));
        js_set(o, "build", js_text(GND_BUILD_TYPE));
        js_print(stdout, o);
    } else {
        printf("gnd %s\nkernels   %s\ncompiler  %s\nbuild     %s\n", gnd_version(),
               gnd_kernel_name(), COMPILER, GND_BUILD_TYPE);
    }
    return 0;
}
