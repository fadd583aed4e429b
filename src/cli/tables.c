/* SPDX-License-Identifier: MIT
 * tables.c - views of a sweep for people: accuracy, trust, times, paired comparisons; text,
 * Markdown, LaTeX. */
#define _POSIX_C_SOURCE 200809L
#include "tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "say.h"

const char *seconds_text(char buf[32], double seconds)
{
    snprintf(buf, 32, "%.*f",
             seconds < 0.0995  ? 3
             : seconds < 9.995 ? 2
             : seconds < 99.95 ? 1
                               : 0,
             seconds);
    return buf;
}

const char *labels_text(char buf[32], int32_t n)
{
    snprintf(buf, 32, "%" PRId32 " label%s", n, n == 1 ? "" : "s");
    return buf;
}

bool is_best(const sweep *s, const sweep_block *b, int64_t row, int64_t q)
{
    const int64_t n_q = s->per_class->n;
    const gnd_cell *cell = &b->cell[row * n_q + q].cell;

    if (cell->n == 0 || s->n_row < 2)
        return false;
    for (int64_t r = 0; r < s->n_row; r++)
        if (b->cell[r * n_q + q].cell.n > 0 && b->cell[r * n_q + q].cell.mean > cell->mean)
            return false;
    return true;
}

/* ---- a table on the page ---- */

static void note_print(const view *v, const char *note, int n)
{
    char *text = need_text("%.*s", n, note);

    if (v->style == TABLE_TEX) {
        char *tex = tex_text(text);

        fprintf(v->f, "\\par\\smallskip\\footnotesize %s\n", tex);
        free(tex);
    } else {
        fputs(v->style == TABLE_MD ? "\n" : "", v->f);
        if (v->style == TABLE_MD)
            fprintf(v->f, "%s\n", text);
        else
            text_wrap(v->f, text, 0, 0);
    }
    free(text);
}

/* What it is about; what the figures are. */
static void title_print(const view *v, const char *head, const char *figures)
{
    if (v->style == TABLE_TEX) {
        char *a = tex_text(head), *b = tex_text(figures);

        fprintf(v->f, "\\begin{table}\n\\centering\n\\caption{%s: %s}\n", a, b);
        free(a);
        free(b);
    } else if (v->style == TABLE_MD) {
        fprintf(v->f, "### %s\n\n%s\n\n", head, figures);
    } else {
        fprintf(v->f, "%s%s%s\n", v->ansi ? "\033[1m" : "", head, v->ansi ? "\033[0m" : "");
        text_wrap(v->f, figures, 0, 0);
    }
}

void view_table(view *v, const char *head, const char *figures, table *t, const char *notes)
{
    fputs(v->n_table++ ? "\n" : "", v->f);
    t->ansi = v->ansi;
    title_print(v, head, figures);
    table_print(v->f, t, v->style, 0);
    while (notes && *notes) {
        const int n = (int)strcspn(notes, "\n");

        note_print(v, notes, n);
        notes += n + (notes[n] == '\n');
    }
    if (v->style == TABLE_TEX)
        fputs("\\end{table}\n", v->f);
    table_fini(t);
}

char *block_text(const sweep_block *b)
{
    return need_text("%s, graph %s, %s stopping rule", b->dataset,
                     gnd_graph_mode_name(b->setting.graph), b->setting.rule);
}

table_style table_style_of(const char *format)
{
    return strcmp(format, "md") == 0    ? TABLE_MD
           : strcmp(format, "tex") == 0 ? TABLE_TEX
                                        : TABLE_TEXT;
}

typedef struct {
    void (*print)(view *v, const void *user);
    table_style style;
    bool ansi;
    const void *user;
} print_job;

static void print_view(FILE *f, const void *job)
{
    const print_job *p = job;
    view v = {.f = f, .style = p->style, .ansi = p->ansi};

    p->print(&v, p->user);
}

int print_to(const char *path, void (*print)(view *v, const void *user), table_style style,
             const void *user)
{
    const bool to_file = is_file(path);
    const print_job job = {print, style, !to_file && isatty(STDOUT_FILENO) == 1, user};

    if (to_file)
        return file_write(path, print_view, &job);
    print_view(stdout, &job); /* main checks whether it arrived */
    return 0;
}

/* ---- rows over label counts ---- */

/* A table with a column a label count; a row is made of texts by `of`. */
typedef struct {
    const sweep *s;
    const sweep_block *b;
    table t;
    char *align;
    const char **cell;
    char **text; /* [n_q] */
} grid;

static void grid_init(grid *g, const sweep *s, const sweep_block *b)
{
    const int64_t n = 1 + s->per_class->n;

    *g = (grid){.s = s, .b = b};
    g->align = need((size_t)n + 1, 1);
    g->cell = need((size_t)n, sizeof *g->cell);
    g->text = need((size_t)n, sizeof *g->text);
    memset(g->align, 'r', (size_t)n);
    g->align[0] = 'l';
    g->t.align = g->align;
    g->cell[0] = "method";
    for (int64_t q = 0; q < s->per_class->n; q++) {
        g->text[q] = need(32, 1);
        g->cell[1 + q] = labels_text(g->text[q], s->per_class->v[q]);
    }
    table_row(&g->t, g->cell);
    for (int64_t q = 0; q < s->per_class->n; q++)
        free(g->text[q]);
}

static void grid_row(grid *g, const char *name, int64_t row,
                     char *(*of)(const grid *g, const sweep_cell *c, int64_t row))
{
    const int64_t n_q = g->s->per_class->n;

    g->cell[0] = name;
    for (int64_t q = 0; q < n_q; q++)
        g->cell[1 + q] = g->text[q] = of(g, &g->b->cell[row * n_q + q], row);
    table_row(&g->t, g->cell);
    for (int64_t q = 0; q < n_q; q++)
        free(g->text[q]);
}

static void grid_fini(grid *g)
{
    free(g->align);
    free(g->cell);
    free(g->text);
}

/* ---- accuracy ---- */

static char *accuracy_text(const grid *g, const sweep_cell *c, int64_t row)
{
    (void)g, (void)row;
    if (c->cell.n > 0)
        return need_text("%.2f ± %.2f", c->cell.mean, c->cell.std);
    return need_text("%s", c->n_diverged ? "diverged" : "-");
}

static char *count_text_of(const grid *g, const sweep_cell *c, int64_t row)
{
    (void)row;
    return c->cell.n == g->s->n_split
               ? need_text("%s", "all")
               : need_text("%" PRId64 " of %" PRId32, c->cell.n, g->s->n_split);
}

static char *interval_text(const grid *g, const sweep_cell *c, int64_t row)
{
    (void)g, (void)row;
    /* Student's t does not know that an accuracy ends at 0 and 100. */
    return c->cell.n > 1 ? need_text("%.2f to %.2f", fmax(c->cell.low, 0), fmin(c->cell.high, 100))
                         : need_text("%s", "-");
}

static char *f1_text(const grid *g, const sweep_cell *c, int64_t row)
{
    (void)g, (void)row;
    return c->cell.n > 0 && isfinite(c->cell.mean_f1) ? need_text("%.2f", c->cell.mean_f1)
                                                      : need_text("%s", "-");
}

static char *published_text(const grid *g, const sweep_cell *c, int64_t row)
{
    (void)g, (void)row;
    if (!c->has_published)
        return need_text("%s", "-");
    if (c->published.not_available)
        return need_text("%s", "N/A");
    return need_text("%.2f ± %.2f", c->published.mean, c->published.std);
}

static char *apart_text(const grid *g, const sweep_cell *c, int64_t row)
{
    (void)g, (void)row;
    return isnan(c->apart) ? need_text("%s", "-") : need_text("%+.2f s.e.", c->apart);
}

/* Both in one cell, where there is room. */
static char *beside_text(const grid *g, const sweep_cell *c, int64_t row)
{
    char *published = published_text(g, c, row), *both;

    both =
        isnan(c->apart) ? need_text("%s", published) : need_text("%s (%+.2f)", published, c->apart);
    free(published);
    return both;
}

static bool row_any(const grid *g, int64_t row, bool (*is)(const grid *g, const sweep_cell *c))
{
    const int64_t n_q = g->s->per_class->n;

    for (int64_t q = 0; q < n_q; q++)
        if (is(g, &g->b->cell[row * n_q + q]))
            return true;
    return false;
}

static bool is_published(const grid *g, const sweep_cell *c)
{
    (void)g;
    return c->has_published;
}

static bool is_partial(const grid *g, const sweep_cell *c)
{
    return c->cell.n > 0 && c->cell.n < g->s->n_split;
}

/* Nothing if all is trained that the choice of a row's variant hangs on. */
static char *search_text(const grid *g, int64_t row)
{
    const sweep_cost *c = &g->s->cost[(g->b - g->s->block) * g->s->n_row + row];

    if (c->done >= c->total)
        return need_text("%s", "");
    return need_text("; not the last word: %" PRId64 " of %" PRId64 " trainings of %s are done",
                     c->done, c->total, g->s->row_name[row]);
}

/* "jknet: layers=1 with 1 label, layers=2 with 2 labels" for every row whose variants compete. */
static char *picks_text(const grid *g)
{
    const sweep *s = g->s;
    const int64_t n_q = s->per_class->n;
    char *all = need_text("%s", "");

    for (int64_t r = 0; r < s->n_row; r++) {
        char *line =
            s->n_search < s->n_split
                ? need_text("picked for %s by mean validation accuracy on splits 1-%" PRId32 ": ",
                            s->row_name[r], s->n_search)
                : need_text("picked for %s by mean validation accuracy: ", s->row_name[r]);
        int64_t n = 0;

        for (int64_t q = 0; q < n_q && row_competes(s, r); q++) {
            const sweep_cell *c = &g->b->cell[r * n_q + q];
            char label[32], *more;

            if (c->cell.n == 0)
                continue;
            more = need_text("%s%s%s with %s", line, n++ ? ", " : "", c->variant,
                             labels_text(label, s->per_class->v[q]));
            free(line);
            line = more;
        }
        if (n) {
            char *open = search_text(g, r), *more = need_text("%s%s%s\n", all, line, open);

            free(open);

            free(all);
            all = more;
        }
        free(line);
    }
    return all;
}

static void accuracy_rows(grid *g, table_style style, bool *published)
{
    const sweep *s = g->s;
    const bool text = style == TABLE_TEXT;

    for (int64_t r = 0; r < s->n_row; r++) {
        grid_row(g, s->row_name[r], r, accuracy_text);
        for (int64_t q = 0; q < s->per_class->n; q++)
            if (is_best(s, g->b, r, q))
                table_bold(&g->t, 1 + q);
        if (row_any(g, r, is_partial))
            grid_row(g, text ? "  trainings" : "trainings", r, count_text_of);
        if (s->kind == GND_SPLIT_HONEST) {
            grid_row(g, text ? "  95 % of mean" : "95 % of mean", r, interval_text);
            grid_row(g, text ? "  macro-F1" : "macro-F1", r, f1_text);
        }
        if (!row_any(g, r, is_published))
            continue;
        *published = true;
        grid_row(g, text ? "  published" : "published", r, text ? published_text : beside_text);
        if (text)
            grid_row(g, "  apart by", r, apart_text);
    }
}

void view_accuracy(view *v, const sweep *s, const sweep_block *b)
{
    grid g;
    bool published = false;
    char *head = block_text(b), *figures, *picks, *notes, val[64] = "no validation", n[32];

    grid_init(&g, s, b);
    accuracy_rows(&g, v->style, &published);
    if (s->n_val > 0)
        snprintf(val, sizeof val, "%s vertices validate", count_text(n, s->n_val));
    figures =
        need_text("test accuracy in %%, mean ± deviation over %" PRId32 " %s%s, %s", s->n_split,
                  s->kind == GND_SPLIT_PLANETOID ? "training" : "split", s->n_split == 1 ? "" : "s",
                  s->kind == GND_SPLIT_PLANETOID ? "Planetoid's fixed split" : val);
    picks = picks_text(&g);
    notes = need_text("%s%s", picks,
                      !published ? ""
                      : v->style == TABLE_TEXT
                          ? "published: arXiv:2201.09698; one s.e. is the published "
                            "deviation / √splits"
                          : "published: arXiv:2201.09698; in brackets how far ours is "
                            "from it, in published deviations / √splits");
    view_table(v, head, figures, &g.t, notes);
    free(head);
    free(figures);
    free(picks);
    free(notes);
    grid_fini(&g);
}

/* ---- trust ---- */

static bool has_trust(const gnd_cell *c)
{
    return isfinite(c->mean_ece) && isfinite(c->mean_half);
}

static char *trust_text(const grid *g, const sweep_cell *c, int64_t row)
{
    (void)g, (void)row;
    return c->cell.n > 0 && has_trust(&c->cell)
               ? need_text("%.1f %%, %.1f", c->cell.mean_ece, c->cell.mean_half)
               : need_text("%s", "-");
}

static bool is_untold(const grid *g, const sweep_cell *c)
{
    (void)g;
    return c->cell.n > 0 && isfinite(c->cell.mean) && !has_trust(&c->cell);
}

void view_trust(view *v, const sweep *s, const sweep_block *b)
{
    grid g;
    bool untold = false;
    char *head = block_text(b);

    grid_init(&g, s, b);
    for (int64_t r = 0; r < s->n_row; r++) {
        grid_row(&g, s->row_name[r], r, trust_text);
        untold |= row_any(&g, r, is_untold);
    }
    view_table(v, head,
               "how far the probabilities can be believed: expected calibration error (15 bins), "
               "and test accuracy in % of the surer half of the test vertices, means",
               &g.t,
               untold ? "-: of trainings that were stored before these figures were; a new store "
                        "gets them"
                      : NULL);
    free(head);
    grid_fini(&g);
}

/* ---- times ---- */

static char *time_text(const grid *g, const sweep_cell *c, int64_t row)
{
    char sec[32];

    (void)g, (void)row;
    if (c->cell.n == 0)
        return need_text("%s", "-");
    return need_text("%s s, %.0f", seconds_text(sec, c->cell.mean_seconds), c->cell.mean_epochs);
}

void view_times(view *v, const sweep *s, const sweep_block *b)
{
    grid g;
    char *head = block_text(b);

    grid_init(&g, s, b);
    for (int64_t r = 0; r < s->n_row; r++)
        grid_row(&g, s->row_name[r], r, time_text);
    view_table(v, head, "CPU seconds and epochs of a training, mean", &g.t, NULL);
    free(head);
    grid_fini(&g);
}

/* ---- pairs ---- */

static void pair_row(table *t, const sweep *s, const sweep_cell *c, int64_t row, int32_t labels)
{
    char f[6][64];

    snprintf(f[0], 64, "%" PRId32, labels);
    snprintf(f[1], 64, "%+.2f", c->paired.diff);
    snprintf(f[2], 64, c->paired.n > 1 ? "%+.2f to %+.2f" : "-", c->paired.low, c->paired.high);
    if (isnan(c->paired.p))
        snprintf(f[3], 64, "-");
    else if (c->paired.p < 0.0001)
        snprintf(f[3], 64, "< 0.0001");
    else
        snprintf(f[3], 64, "%.4f", c->paired.p);
    snprintf(f[4], 64, "%" PRId64 " / %" PRId64 " / %" PRId64, c->paired.wins, c->paired.ties,
             c->paired.losses);
    table_row(
        t, (const char *[]){f[0], s->row_name[row], s->row_name[c->best], f[1], f[2], f[3], f[4]});
}

void view_paired(view *v, const sweep *s, const sweep_block *b)
{
    const int64_t n_q = s->per_class->n;
    table t = {.align = "rllrrrr"};
    char *head = block_text(b);

    table_row(&t, (const char *[]){"labels", "method", "best", "difference", "95 % interval", "p",
                                   "wins / ties / losses"});
    for (int64_t q = 0; q < n_q; q++)
        for (int64_t r = 0; r < s->n_row; r++) {
            const sweep_cell *c = &b->cell[r * n_q + q];

            if (c->best >= 0 && c->best != r && c->paired.n > 0)
                pair_row(&t, s, c, r, s->per_class->v[q]);
        }
    if (t.n_row > 1)
        view_table(v, head, "every method against the best of its label count, split by split", &t,
                   "difference in points of accuracy; p of no difference: two-sided paired t "
                   "test, not corrected for the number of methods");
    else
        table_fini(&t);
    free(head);
}
