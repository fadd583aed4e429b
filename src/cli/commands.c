/* SPDX-License-Identifier: MIT
 * commands.c - all commands, in the order of `gnd help`. */
#include "common.h"

const command *const commands[] = {
    &cmd_label,          &cmd_suggest,          &cmd_train,      &cmd_estimate,
    &cmd_predict,        &cmd_compare,          &cmd_paper,      &cmd_results_export,
    &cmd_results_import, &cmd_plot_accuracy,    &cmd_plot_depth, &cmd_plot_curves,
    &cmd_plot_hops,      &cmd_plot_reliability, &cmd_plot_tsne,  &cmd_plot_figure1,
    &cmd_spectrum,       &cmd_methods,          &cmd_data_list,  &cmd_data_get,
    &cmd_data_info,      &cmd_data_convert,     &cmd_data_make,  &cmd_data_hops,
    &cmd_version,
};
_Static_assert(sizeof commands / sizeof *commands == N_COMMAND, "N_COMMAND counts the commands");
