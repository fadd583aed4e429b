/* SPDX-License-Identifier: MIT
 * class_priors.c - sums over rows of class shares, in double and in order.
 *
 *     h = (sum_ij w_ij p_i . p_j / w  -  sum_c m_c^2) / (1 - sum_c m_c^2)
 *     m_c = sum_ij w_ij p_ic / w,   w = sum_ij w_ij
 *
 * the adjusted homophily of Platonov et al., NeurIPS 2023, arXiv:2209.06177, with shares of classes
 * for classes. Links are foretold as a stochastic block model that knows degrees does, Karrer and
 * Newman, Phys. Rev. E 83 (2011), arXiv:1008.3926. Known totals are met by scaling classes and rows
 * in turn: Sinkhorn and Knopp 1967.
 */
#include "class_priors.h"

#include <math.h>
#include <string.h>

#include "constants.h"

double gnd_agreement(const gnd_real *vote, const gnd_real *p, int64_t n, int64_t n_class)
{
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += (double)vote[i * n_class + gnd_argmax(p + i * n_class, n_class)];
    return sum / (double)n;
}

gnd_kappa gnd_class_kappa(const gnd_real *p, const gnd_real *q, int64_t n, int64_t n_class,
                          const unsigned char *skip, double *room)
{
    double same = 0, compared = 0, chance = 0;

    memset(room, 0, (size_t)(2 * n_class) * sizeof *room);
    for (int64_t i = 0; i < n; i++) {
        const int64_t a = gnd_argmax(p + i * n_class, n_class);
        const int64_t b = gnd_argmax(q + i * n_class, n_class);

        if (skip[i])
            continue;
        room[a]++;
        room[n_class + b]++;
        same += a == b;
        compared++;
    }
    for (int64_t c = 0; c < n_class && compared > 0; c++)
        chance += room[c] / compared * (room[n_class + c] / compared);
    if (!(compared > 0 && chance < 1))
        return (gnd_kappa){0, 0};
    return (gnd_kappa){(same / compared - chance) / (1 - chance),
                       sqrt(chance / ((1 - chance) * compared))};
}

double gnd_homophily(const gnd_real *p, int64_t n_class, const gnd_csr *links, double *mass)
{
    const int64_t C = n_class;
    double same = 0, total = 0, chance = 0;

    memset(mass, 0, (size_t)C * sizeof *mass);
    for (int64_t i = 0; i < links->n_row; i++)
        for (int64_t q = links->ptr[i]; q < links->ptr[i + 1]; q++) {
            const double w = (double)gnd_csr_val(links, q);
            const gnd_real *x = p + i * C, *y = p + links->col[q] * C;

            for (int64_t c = 0; c < C; c++) {
                same += w * (double)x[c] * (double)y[c];
                mass[c] += w * (double)x[c];
            }
            total += w;
        }
    for (int64_t c = 0; c < C && total > 0; c++)
        chance += mass[c] / total * (mass[c] / total);
    return total > 0 && chance < 1 ? (same / total - chance) / (1 - chance) : 0;
}

/* joined[a, b] += by times the links of each class a with each class b. */
static void count_joined(double *joined, const int32_t *cls, int64_t C, const gnd_csr *links,
                         double by)
{
    for (int64_t i = 0; i < links->n_row; i++)
        for (int64_t q = links->ptr[i]; q < links->ptr[i + 1]; q++)
            joined[cls[i] * C + cls[links->col[q]]] += by * (double)gnd_csr_val(links, q);
}

/* joined becomes the log of how much more it is than chance; mass: [C] scratch. */
static void to_log_odds(double *joined, double *mass, int64_t C)
{
    double total = 0;

    for (int64_t a = 0; a < C; a++) {
        mass[a] = 0;
        for (int64_t b = 0; b < C; b++)
            mass[a] += joined[a * C + b];
        total += mass[a];
    }
    for (int64_t a = 0; a < C; a++)
        for (int64_t b = 0; b < C; b++) { /* a link either way, so that none is not never */
            const double chance = total > 0 ? mass[a] * mass[b] / total : 0;

            joined[a * C + b] = log((fmax(joined[a * C + b], 0) + 1) / (chance + 1));
        }
}

double gnd_link_prediction(const int32_t *cls, int64_t n_class, const gnd_csr *links,
                           const gnd_csr *left, double *room, double *error)
{
    const int64_t C = n_class;
    double *worth = room, *mass = room + C * C;
    double total = 0, squares = 0, met = 0, mean = 0, square = 0;

    memset(room, 0, (size_t)(C * (C + 1)) * sizeof *room);
    count_joined(worth, cls, C, links, 1);
    count_joined(worth, cls, C, left, -1);
    to_log_odds(worth, mass, C);
    memset(mass, 0, (size_t)C * sizeof *mass);
    for (int64_t i = 0; i < left->n_row; i++)
        for (int64_t q = left->ptr[i]; q < left->ptr[i + 1]; q++) {
            const double w = (double)gnd_csr_val(left, q);

            mass[cls[i]] += w;
            met += w * worth[cls[i] * C + cls[left->col[q]]];
            total += w;
            squares += w * w;
        }
    *error = total > 0 ? sqrt(2 * squares) / total : 0; /* each is there both ways */
    for (int64_t a = 0; a < C && total > 0; a++)
        for (int64_t b = 0; b < C; b++) {
            const double chance = mass[a] / total * (mass[b] / total);

            mean += chance * worth[a * C + b];
            square += chance * worth[a * C + b] * worth[a * C + b];
        }
    return square - mean * mean > LINK_SPREAD_MIN
               ? (met / total - mean) / sqrt(square - mean * mean)
               : 0;
}

/* mass[c]: mean over the rows. */
static void mean_row(double *mass, const gnd_real *p, int64_t n, int64_t C)
{
    memset(mass, 0, (size_t)C * sizeof *mass);
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < C; c++)
            mass[c] += (double)p[i * C + c] / (double)n;
}

void gnd_match_priors(gnd_real *p, int64_t n, int64_t n_class, const gnd_real *share, double *mass)
{
    const int64_t C = n_class;

    for (int k = 0; k < PRIOR_ROUNDS; k++) {
        mean_row(mass, p, n, C);
        for (int64_t i = 0; i < n; i++) {
            gnd_real *row = p + i * C;
            double sum = 0;

            for (int64_t c = 0; c < C; c++) {
                row[c] *= mass[c] > 0 ? (gnd_real)((double)share[c] / mass[c]) : 0;
                sum += (double)row[c];
            }
            for (int64_t c = 0; c < C && sum > 0; c++)
                row[c] = (gnd_real)((double)row[c] / sum);
        }
    }
}
