/* SPDX-License-Identifier: MIT
 * cmd_results.c - `gnd results export|import`: convert stores of finished training runs to CSV
 * files, which can be read, shared and kept under version control, and back. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "common.h"
#include "say.h"
#include "sweep.h"

static int run_export(const cli_args *a);
static int run_import(const cli_args *a);

static const opt_spec opts[] = {
    OPT_HEADING("options"),
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

const command cmd_results_export = {
    .name = "results export",
    .purpose = "write the training runs of a store as CSV, one row per run",
    .operands = "STORE FILE|FOLDER [options]",
    .about = "STORE is a file that `gnd compare --store` or `gnd paper` made. The order of the "
             "rows does not depend on when they were trained. FILE may be - for stdout. A FOLDER, "
             "or a new name that ends with /, gets a file for each data set, DATASET.csv, and "
             "configs.csv with the settings, to which the column `config` of the runs refers; this "
             "is much smaller.",
    .examples = "  gnd results export gnd-paper.sqlite runs.csv\n"
                "  gnd results export gnd-paper.sqlite results/\n",
    .opts = opts,
    .min_operand = 2,
    .max_operand = 2,
    .operand_use = {USE_STORE, USE_RUNS_OUT},
    .run = run_export,
};

const command cmd_results_import = {
    .name = "results import",
    .purpose = "add exported training runs to a store",
    .operands = "STORE FILE|FOLDER [options]",
    .about = "STORE is created if it does not exist. A comparison that uses it takes these "
             "training runs instead of repeating them.",
    .examples = "  gnd results import gnd-paper.sqlite runs.csv\n"
                "  gnd results import gnd-paper.sqlite results\n",
    .opts = opts,
    .min_operand = 2,
    .max_operand = 2,
    .operand_use = {USE_STORE, USE_IN},
    .run = run_import,
};

static int run_export(const cli_args *a)
{
    const char *path = a->operand.v[0], *file = a->operand.v[1];
    gnd_store *s = NULL;
    gnd_error err = {0};
    struct stat sb;
    char n[32];
    int rc;

    if (stat(path, &sb) != 0) /* opening a store would create it */
        return say_failed("%s: %s", path, strerror(errno));
    rc = store_open(&s, path);
    if (!rc && !is_file(file)) { /* main() checks for write errors */
        if (gnd_store_write(s, stdout, &err))
            rc = say_failed("%s", err.msg);
    } else if (!rc) {
        signals_hold(file);
        signals_hold_store(s);
        if (gnd_store_export(s, file, &err))
            rc = say_failed("%s", err.msg);
        signals_release();
    }
    if (!rc && is_file(file))
        say_note(a->quiet, "%s training runs written to %s", count_text(n, gnd_store_count(s)),
                 file);
    gnd_store_close(s);
    return rc;
}

static int run_import(const cli_args *a)
{
    const char *path = a->operand.v[0], *file = a->operand.v[1];
    gnd_store *s = NULL;
    gnd_error err = {0};
    struct stat sb;
    int64_t n_new = 0;
    char n[32], all[32];
    int rc;

    if (stat(file, &sb) != 0) /* before the store is created */
        return say_failed("%s: %s", file, strerror(errno));
    rc = store_open(&s, path);
    if (!rc && gnd_store_import(s, file, &n_new, &err))
        rc = say_failed("%s", err.msg);
    if (!rc)
        say_note(a->quiet, "%s new training runs from %s; %s has %s now", count_text(n, n_new),
                 file, path, count_text(all, gnd_store_count(s)));
    gnd_store_close(s);
    return rc;
}
