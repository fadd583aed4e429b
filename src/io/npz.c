/* SPDX-License-Identifier: MIT
 * npz.c - read numpy's npz files, zip archives of arrays. Three arrays make a sparse matrix, as
 * scipy's save_npz writes it. */
#define _POSIX_C_SOURCE 200809L
#include "npz.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

#include "base/alloc.h"
#include "io.h"
#include "limit.h"
#include "sparse.h"

struct gnd_npz {
    zip_t *zip;
    zip_file_t *file; /* the member that is being read */
    char *path;
    int64_t size;   /* size of the file */
    int64_t limit;  /* maximum bytes of a member */
    char what[512]; /* "path: member", for messages */
    char name[256]; /* the last name returned */
    const gnd_load_opts *watch;
};

/* Deflate compresses at most 1032 : 1, so a member that states a larger ratio is invalid. */
enum { INFLATE_MAX = 1040 };

gnd_status gnd_npz_open(gnd_npz **out, const char *path, int64_t max_input, gnd_error *err)
{
    gnd_npz *z = gnd_alloc(1, sizeof *z);
    gnd_status st = GND_OK;
    struct stat sb;
    zip_error_t why;
    int code = 0;

    *out = NULL;
    if (!z || !(z->path = gnd_strdup(path)))
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path));
    if (stat(path, &sb) != 0)
        GND_TRY(gnd_fail(err, GND_ERR_IO, "%s: %s", path, strerror(errno)));
    if (!S_ISREG(sb.st_mode))
        GND_TRY(gnd_fail(err, GND_ERR_IO, "%s: is not a file", path));
    z->size = (int64_t)sb.st_size;
    z->limit = gnd_limit_get(max_input);
    z->zip = zip_open(path, ZIP_RDONLY, &code);
    if (!z->zip) {
        const bool io = code == ZIP_ER_OPEN || code == ZIP_ER_READ || code == ZIP_ER_SEEK;

        zip_error_init_with_code(&why, code);
        st = gnd_fail(err,
                      io                      ? GND_ERR_IO
                      : code == ZIP_ER_MEMORY ? GND_ERR_NOMEM
                                              : GND_ERR_FORMAT,
                      "%s: cannot be read as an npz archive: %s", path, zip_error_strerror(&why));
        zip_error_fini(&why);
        goto out;
    }
    *out = z;
    z = NULL;
out:
    gnd_npz_close(z);
    return st;
}

void gnd_npz_close(gnd_npz *z)
{
    if (!z)
        return;
    if (z->file)
        zip_fclose(z->file);
    if (z->zip)
        zip_discard(z->zip);
    gnd_free(z->path);
    gnd_free(z);
}

static zip_int64_t locate(const gnd_npz *z, const char *name)
{
    char file[256];
    const int n = snprintf(file, sizeof file, "%s.npy", name);

    return n > 0 && (size_t)n < sizeof file ? zip_name_locate(z->zip, file, ZIP_FL_ENC_RAW) : -1;
}

bool gnd_npz_has(const gnd_npz *z, const char *name)
{
    return locate(z, name) >= 0;
}

const char *gnd_npz_member(gnd_npz *z, int64_t i)
{
    const char *name = i < zip_get_num_entries(z->zip, 0)
                           ? zip_get_name(z->zip, (zip_uint64_t)i, ZIP_FL_ENC_RAW)
                           : NULL;
    size_t n;

    if (!name)
        return NULL;
    snprintf(z->name, sizeof z->name, "%s", name);
    n = strlen(z->name);
    if (n > 4 && strcmp(z->name + n - 4, ".npy") == 0)
        z->name[n - 4] = '\0';
    return z->name;
}

void gnd_npz_watch(gnd_npz *z, const gnd_load_opts *o)
{
    z->watch = o;
}

static int64_t member_read(void *user, void *buf, int64_t n)
{
    gnd_npz *z = user;
    int64_t have = 0;

    if (gnd_load_check(z->watch, NULL) != GND_OK)
        return -1;
    while (have < n) {
        const zip_int64_t k = zip_fread(z->file, (char *)buf + have, (zip_uint64_t)(n - have));

        if (k < 0)
            return -1;
        if (k == 0)
            break;
        have += k;
    }
    return have;
}

gnd_status gnd_npz_array(gnd_npy *a, gnd_npz *z, const char *name, gnd_error *err)
{
    const zip_int64_t i = locate(z, name);
    const zip_uint64_t need = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
    zip_stat_t sb;
    gnd_status st;

    snprintf(z->what, sizeof z->what, "%s: %s", z->path, name);
    gnd_text_mask(z->what); /* a message is one line, even if a member's name contains line ends */
    if (i < 0)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: has no array '%s'", z->path, name);
    zip_stat_init(&sb);
    if (zip_stat_index(z->zip, (zip_uint64_t)i, 0, &sb) != 0 || (sb.valid & need) != need)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: its size is not stated", z->what);
    if (sb.comp_size > (zip_uint64_t)z->size || sb.size / INFLATE_MAX > sb.comp_size)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: states %llu bytes, more than its file can hold",
                        z->what, (unsigned long long)sb.size);
    if (sb.size > (zip_uint64_t)z->limit)
        return gnd_limit_fail(z->what, "unpacks to", z->limit, err);
    if (z->file)
        zip_fclose(z->file);
    z->file = zip_fopen_index(z->zip, (zip_uint64_t)i, 0);
    if (!z->file)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: cannot be unpacked: %s", z->what,
                        zip_strerror(z->zip));
    st = gnd_npy_open(
        a,
        (gnd_npy_source){.read = member_read, .user = z, .size = (int64_t)sb.size, .what = z->what},
        err);
    /* Items of one byte become numbers of at least four. */
    if (st == GND_OK && a->n_item > z->limit / 4)
        st = gnd_limit_fail(z->what, "unpacks to", z->limit, err);
    return st;
}

/* ---- matrices ---- */

/* One-dimensional array PREFIX + NAME. */
static gnd_status vector_open(gnd_npy *a, gnd_npz *z, const char *prefix, const char *name,
                              gnd_error *err)
{
    char full[64];
    gnd_status st;

    snprintf(full, sizeof full, "%s%s", prefix, name);
    st = gnd_npz_array(a, z, full, err);
    return st == GND_OK ? gnd_npy_want(a, 1, err) : st;
}

static gnd_status shape_read(int64_t dim[2], gnd_npz *z, const char *prefix, gnd_error *err)
{
    gnd_npy a;
    gnd_status st;

    GND_TRY(vector_open(&a, z, prefix, "shape", err));
    if (a.n_item != 2)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has %lld items; expected 2", a.src.what,
                         (long long)a.n_item));
    GND_TRY(gnd_npy_int64(&a, dim, err));
    if (dim[0] < 0 || dim[1] < 0 || dim[0] > GND_MAX_NODE || dim[1] > GND_MAX_FEAT)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: is %lld x %lld; expected 0 to %d each",
                         a.src.what, (long long)dim[0], (long long)dim[1], GND_MAX_NODE));
out:
    return st;
}

/* Indices PREFIX + NAME below limit; *nnz: number of indices in the member. */
static gnd_status index_read(int32_t **out, int64_t *nnz, gnd_npz *z, const char *prefix,
                             const char *name, int64_t limit, gnd_error *err)
{
    gnd_npy a;
    gnd_status st;

    GND_TRY(vector_open(&a, z, prefix, name, err));
    *nnz = a.n_item;
    *out = gnd_alloc(a.n_item, sizeof **out);
    if (!*out)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for %lld entries", a.src.what,
                         (long long)a.n_item));
    GND_TRY(gnd_npy_int32(&a, *out, 0, (int32_t)(limit - 1), err));
out:
    return st;
}

/* Values PREFIX + "data", one for each of nnz entries. */
static gnd_status values_read(gnd_real **out, int64_t nnz, gnd_npz *z, const char *prefix,
                              gnd_error *err)
{
    gnd_npy a;
    gnd_status st;

    GND_TRY(vector_open(&a, z, prefix, "data", err));
    if (a.n_item != nnz)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE, "%s: has %lld items for %lld indices", a.src.what,
                         (long long)a.n_item, (long long)nnz));
    *out = gnd_alloc(nnz, sizeof **out);
    if (!*out)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for %lld values", a.src.what,
                         (long long)nnz));
    GND_TRY(gnd_npy_reals(&a, *out, err));
out:
    return st;
}

/* Compressed rows of n_row x n_col, read directly into the final arrays. */
static gnd_status rows_read(gnd_csr *out, gnd_npz *z, const char *prefix, int64_t n_row,
                            int64_t n_col, gnd_error *err)
{
    gnd_npy a;
    int64_t nnz = 0;
    gnd_status st;

    out->n_row = n_row;
    out->n_col = n_col;
    GND_TRY(index_read(&out->col, &nnz, z, prefix, "indices", n_col, err));
    GND_TRY(vector_open(&a, z, prefix, "indptr", err));
    if (a.n_item != n_row + 1)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE, "%s: has %lld items for %lld rows; expected %lld",
                         a.src.what, (long long)a.n_item, (long long)n_row, (long long)n_row + 1));
    out->ptr = gnd_alloc(a.n_item, sizeof *out->ptr);
    if (!out->ptr)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for %lld rows", a.src.what,
                         (long long)n_row));
    GND_TRY(gnd_npy_int64(&a, out->ptr, err));
    GND_TRY(gnd_sparse_check_ptr(out->ptr, n_row, nnz, a.src.what, err));
    GND_TRY(values_read(&out->val, nnz, z, prefix, err));
out:
    return st;
}

/* A dimension that no array of the file confirms must be in proportion to the number of entries. */
static gnd_status dim_check(const gnd_npz *z, int64_t dim, int64_t nnz, gnd_error *err)
{
    const int64_t most = (INT64_C(1) << 20) + 64 * nnz;

    return dim <= most
               ? GND_OK
               : gnd_fail(err, GND_ERR_FORMAT, "%s: states %lld rows or columns for %lld entries",
                          z->path, (long long)dim, (long long)nnz);
}

static gnd_status columns_read(gnd_csr *out, gnd_npz *z, const int64_t dim[2], gnd_error *err)
{
    gnd_csr t = {0};
    gnd_status st;

    GND_TRY(rows_read(&t, z, "", dim[1], dim[0], err));
    GND_TRY(dim_check(z, dim[0], gnd_csr_nnz(&t), err));
    GND_TRY(gnd_csr_transpose(out, &t, err));
out:
    gnd_csr_fini(&t);
    return st;
}

static gnd_status coo_read(gnd_csr *out, int64_t *n_merged, gnd_npz *z, const int64_t dim[2],
                           gnd_error *err)
{
    int32_t *row = NULL, *col = NULL;
    gnd_real *val = NULL;
    int64_t nnz = 0, n_col = 0;
    gnd_status st;

    GND_TRY(index_read(&row, &nnz, z, "", "row", dim[0], err));
    GND_TRY(index_read(&col, &n_col, z, "", "col", dim[1], err));
    if (n_col != nnz)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE, "%s: %lld rows for %lld columns", z->path,
                         (long long)nnz, (long long)n_col));
    GND_TRY(dim_check(z, dim[0] > dim[1] ? dim[0] : dim[1], nnz, err));
    GND_TRY(values_read(&val, nnz, z, "", err));
    GND_TRY(gnd_csr_from_triplets(out, &(gnd_triplets){dim[0], dim[1], nnz, row, col, val},
                                  GND_DUP_SUM, n_merged, err));
out:
    gnd_free(row);
    gnd_free(col);
    gnd_free(val);
    return st;
}

/* scipy's name for the layout, into buf; "csr" if the file has none. */
static gnd_status format_read(char buf[8], gnd_npz *z, gnd_error *err)
{
    gnd_names *names = NULL;
    gnd_npy a;
    bool distinct;
    gnd_status st = GND_OK;

    strcpy(buf, "csr");
    if (!gnd_npz_has(z, "format"))
        return GND_OK;
    GND_TRY(gnd_npz_array(&a, z, "format", err));
    names = gnd_names_new();
    if (!names)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", z->path));
    if (a.n_item != 1 || a.type.size > 64)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: expected one name", a.src.what));
    GND_TRY(gnd_npy_names(&a, names, &distinct, err));
    snprintf(buf, 8, "%s", gnd_names_get(names, 0));
    if (strcmp(buf, "csr") != 0 && strcmp(buf, "csc") != 0 && strcmp(buf, "coo") != 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                         "%s: its layout is not supported; expected csr, csc or coo", a.src.what));
out:
    gnd_names_free(names);
    return st;
}

gnd_status gnd_npz_matrix(gnd_csr *out, int64_t *n_merged, gnd_npz *z, const char *prefix,
                          gnd_error *err)
{
    char format[8] = "csr";
    int64_t dim[2] = {0, 0}, more = 0;
    gnd_status st;

    *out = (gnd_csr){0};
    *n_merged = 0;
    if (!*prefix)
        GND_TRY(format_read(format, z, err));
    GND_TRY(shape_read(dim, z, prefix, err));
    if (strcmp(format, "coo") == 0)
        GND_TRY(coo_read(out, n_merged, z, dim, err));
    else if (strcmp(format, "csc") == 0)
        GND_TRY(columns_read(out, z, dim, err));
    else
        GND_TRY(rows_read(out, z, prefix, dim[0], dim[1], err));
    GND_TRY(gnd_sparse_tidy(out, &more, err));
    *n_merged += more;
out:
    if (st != GND_OK)
        gnd_csr_fini(out);
    return st;
}

gnd_status gnd_npz_dense(gnd_csr *out, gnd_npz *z, const char *name, gnd_error *err)
{
    gnd_real *x = NULL;
    gnd_npy a;
    gnd_status st;

    *out = (gnd_csr){0};
    GND_TRY(gnd_npz_array(&a, z, name, err));
    GND_TRY(gnd_npy_want(&a, 2, err));
    if (a.dim[0] > GND_MAX_NODE || a.dim[1] > GND_MAX_FEAT)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: is %lld x %lld, which is too large", a.src.what,
                         (long long)a.dim[0], (long long)a.dim[1]));
    x = gnd_alloc(a.n_item, sizeof *x);
    if (!x)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for %lld items", a.src.what,
                         (long long)a.n_item));
    GND_TRY(gnd_npy_reals(&a, x, err));
    GND_TRY(gnd_sparse_from_dense(out, x, a.dim[0], a.dim[1], a.fortran, err));
out:
    gnd_free(x);
    return st;
}

/* The first member that is a two-dimensional array of numbers, its name into buf; false: none. */
static bool dense_find(char *buf, size_t size, gnd_npz *z)
{
    const char *name;

    for (int64_t i = 0; (name = gnd_npz_member(z, i)); i++) {
        gnd_npy a;

        snprintf(buf, size, "%s", name);
        if (gnd_npz_has(z, buf) && gnd_npz_array(&a, z, buf, NULL) == GND_OK && a.n_dim == 2 &&
            gnd_npy_type_is_number(a.type))
            return true;
    }
    return false;
}

gnd_status gnd_npz_load_matrix(gnd_csr *out, int64_t *n_merged, const char *path, int64_t max_input,
                               gnd_error *err)
{
    static const char *const prefix[] = {"", "attr_", "attr_matrix."};
    gnd_npz *z = NULL;
    char name[256];
    bool done = false;
    gnd_status st;

    *out = (gnd_csr){0};
    *n_merged = 0;
    GND_TRY(gnd_npz_open(&z, path, max_input, err));
    for (size_t k = 0; k < sizeof prefix / sizeof prefix[0] && !done; k++) {
        snprintf(name, sizeof name, "%sdata", prefix[k]);
        if (!gnd_npz_has(z, name))
            continue;
        snprintf(name, sizeof name, "%sshape", prefix[k]);
        if (!gnd_npz_has(z, name))
            continue;
        GND_TRY(gnd_npz_matrix(out, n_merged, z, prefix[k], err));
        done = true;
    }
    if (!done && !dense_find(name, sizeof name, z))
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                         "%s: has no matrix; expected scipy's save_npz, attr_data ..., or a "
                         "two-dimensional array of numbers",
                         path));
    if (!done)
        GND_TRY(gnd_npz_dense(out, z, name, err));
    st = gnd_csr_check(out, "feature", err);
    if (st != GND_OK)
        gnd_error_prefix(err, "%s", path);
    gnd_csr_drop_ones(out);
out:
    gnd_npz_close(z);
    if (st != GND_OK)
        gnd_csr_fini(out);
    return st;
}
