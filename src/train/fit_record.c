/* SPDX-License-Identifier: MIT
 * fit_record.c - losses and accuracies of the epochs of a training run, and their place in the
 * model as its history. */
#include "base/alloc.h"
#include "train.h"

gnd_status gnd_fit_record_init(gnd_fit_record *rec, int64_t epochs, gnd_error *err)
{
    *rec = (gnd_fit_record){0};
    rec->loss_train = gnd_alloc(epochs, sizeof *rec->loss_train);
    rec->acc_train = gnd_alloc(epochs, sizeof *rec->acc_train);
    rec->loss_val = gnd_alloc(epochs, sizeof *rec->loss_val);
    rec->acc_val = gnd_alloc(epochs, sizeof *rec->acc_val);
    if (rec->loss_train && rec->acc_train && rec->loss_val && rec->acc_val)
        return GND_OK;
    gnd_fit_record_fini(rec);
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld epochs", (long long)epochs);
}

void gnd_fit_record_fini(gnd_fit_record *rec)
{
    gnd_free(rec->loss_train);
    gnd_free(rec->acc_train);
    gnd_free(rec->loss_val);
    gnd_free(rec->acc_val);
    *rec = (gnd_fit_record){0};
}

void gnd_fit_record_keep(gnd_model *m, gnd_fit_record *rec)
{
    double *const column[GND_HISTORY_COLUMNS] = {[GND_HISTORY_LOSS_TRAIN] = rec->loss_train,
                                                 [GND_HISTORY_ACC_TRAIN] = rec->acc_train,
                                                 [GND_HISTORY_LOSS_VAL] = rec->loss_val,
                                                 [GND_HISTORY_ACC_VAL] = rec->acc_val};

    for (int k = 0; k < GND_HISTORY_COLUMNS; k++) {
        gnd_free(m->history[k]);
        m->history[k] = column[k];
    }
    m->n_epoch = rec->epochs;
    *rec = (gnd_fit_record){0};
}
