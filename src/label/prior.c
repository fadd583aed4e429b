/* SPDX-License-Identifier: MIT
 * prior.c - weights of the predictors by what the graph shows without held-out labels.
 *
 *     pi = sum over the rules of p_rule, TRUSTED_SHARE of it equally to the predictors that the
 *          rule trusts and the rest equally to the others;   sum of p_rule = 1
 *
 *     e_k = I_k / I_blocks: information of the classes of predictor k on links, relative to those
 *           of the block model, which is fitted to explain the links
 *
 *     features and links correlated      self-training, as far as e_self_training is large;
 *                                        else the predictors by links
 *     features and links uncorrelated    features or links alone, by the stability of their groups
 *     no features                        link groups where e_link_groups is above EXPLAINED_BETTER
 *                                        (links between classes), roles as far as e_roles is
 *                                        large, else the predictors by links
 *     no links                           self-training */
#include "prior.h"

#include <math.h>
#include <string.h>

#include "class_priors.h"
#include "constants.h"

enum {
    BY_SELF_TRAINING = 1 << GND_PREDICT_SELF_TRAINING,
    BY_FEATURES = 1 << GND_PREDICT_FEATURES | 1 << GND_PREDICT_FEATURE_GROUPS,
    BY_LINK_GROUPS = 1 << GND_PREDICT_LINKS | 1 << GND_PREDICT_LINK_GROUPS,
    BY_ROLES = 1 << GND_PREDICT_ROLES,
    BY_LINKS = 1 << GND_PREDICT_LINKS | 1 << GND_PREDICT_PAGERANK | 1 << GND_PREDICT_BLOCKS
};

double gnd_link_information(const gnd_csr *links, const gnd_real *score, int64_t C, double *room,
                            int32_t *cls)
{
    double *joint = room, *share = room + C * C, total = 0, sum = 0;

    memset(room, 0, (size_t)(C * (C + 1)) * sizeof *room);
    for (int64_t i = 0; i < links->n_row; i++)
        cls[i] = (int32_t)gnd_argmax(score + i * C, C);
    for (int64_t i = 0; i < links->n_row; i++)
        for (int64_t q = links->ptr[i]; q < links->ptr[i + 1]; q++)
            joint[cls[i] * C + cls[links->col[q]]] += (double)gnd_csr_val(links, q);
    gnd_part_sum(links->part, joint, C * C);
    for (int64_t e = 0; e < C * C; e++) {
        share[e / C] += joint[e];
        total += joint[e];
    }
    for (int64_t e = 0; e < C * C; e++)
        if (joint[e] > 0)
            sum += joint[e] / total * log(joint[e] * total / (share[e / C] * share[e % C]));
    return sum;
}

/* prior += by, TRUSTED_SHARE of it to the predictors in `trusted`. */
static void trust(double *prior, uint32_t used, uint32_t trusted, double by)
{
    int n_trusted = 0, n_other = 0;

    for (int k = 0; k < GND_PREDICTORS; k++) {
        n_trusted += used & trusted & 1u << k ? 1 : 0;
        n_other += used & ~trusted & 1u << k ? 1 : 0;
    }
    for (int k = 0; k < GND_PREDICTORS; k++)
        if (used >> k & 1) {
            const bool in = trusted >> k & 1;
            const double share = n_trusted == 0 ? 0 : n_other == 0 ? 1 : TRUSTED_SHARE;

            prior[k] += by * (in ? share / n_trusted : (1 - share) / n_other);
        }
}

/* I_k / I_blocks; `none` if the block model or k is not there. */
static double explained(const gnd_evidence *e, uint32_t used, gnd_predictor k, double none)
{
    const bool both = used >> k & 1 && used >> GND_PREDICT_BLOCKS & 1;
    const double most = e->information[GND_PREDICT_BLOCKS];

    return both && most > 0 ? e->information[k] / most : none;
}

/* Stability above chance, to a power: groups found again with other labels are real ones. */
static double groups(const gnd_evidence *e, gnd_predictor k, int64_t n_class)
{
    const double chance = 1 / (double)n_class;

    return n_class < 2 ? 0 : pow(fmax(e->stability[k] - chance, 0) / (1 - chance), GROUPS_POWER);
}

void gnd_prior(double *prior, uint32_t used, const gnd_evidence *e, int64_t n_class)
{
    memset(prior, 0, GND_PREDICTORS * sizeof *prior);
    if (!e->links) {
        trust(prior, used, BY_SELF_TRAINING, 1);
    } else if (e->uncorrelated) {
        const double features = FEATURES_ODDS * groups(e, GND_PREDICT_FEATURE_GROUPS, n_class);
        const double links = groups(e, GND_PREDICT_LINK_GROUPS, n_class);
        const double share = features + links > 0 ? features / (features + links) : 1;

        trust(prior, used, BY_FEATURES, share);
        trust(prior, used, BY_LINK_GROUPS, 1 - share);
    } else if (e->features) {
        const double self = gnd_ramp(explained(e, used, GND_PREDICT_SELF_TRAINING, 1),
                                     EXPLAINED_LOW, EXPLAINED_HIGH);

        trust(prior, used, BY_SELF_TRAINING, self);
        trust(prior, used, BY_LINKS, 1 - self);
    } else {
        const double between =
            explained(e, used, GND_PREDICT_LINK_GROUPS, 0) > EXPLAINED_BETTER ? 1 : 0;
        const double roles = (1 - between) * gnd_ramp(explained(e, used, GND_PREDICT_ROLES, 0),
                                                      EXPLAINED_LOW, EXPLAINED_HIGH);

        trust(prior, used, 1u << GND_PREDICT_LINK_GROUPS, between);
        trust(prior, used, BY_ROLES, roles);
        trust(prior, used, BY_LINKS, 1 - between - roles);
    }
}
