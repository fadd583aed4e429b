/* SPDX-License-Identifier: MIT
 * test_outfile_nomem.c - a file appears whole or not at all, whatever goes wrong. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/outfile.h"
#include "mallocfail.h"

static char folder[] = "/tmp/gnd-outfile-XXXXXX";
static char path[64];

static int setup(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/out.csv", folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder); /* fails if anything was left behind */
}

static int entries(void)
{
    DIR *d = opendir(folder);
    int n = 0;

    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static void check_content(const char *want)
{
    char got[64] = "";
    FILE *f = fopen(path, "rb");

    assert_non_null(f);
    got[fread(got, 1, sizeof got - 1, f)] = '\0';
    fclose(f);
    assert_string_equal(got, want);
}

static void write_file(const char *text)
{
    gnd_outfile o = {0};
    gnd_error err;

    CHECK_OK(gnd_outfile_open(&o, path, &err));
    fputs(text, o.f);
    CHECK_OK(gnd_outfile_commit(&o, &err));
    assert_null(o.f);
    assert_null(o.path);
}

static void appears_at_commit(void **state)
{
    gnd_outfile o = {0};
    gnd_error err;

    (void)state;
    unlink(path);
    CHECK_OK(gnd_outfile_open(&o, path, &err));
    fputs("half", o.f);
    fflush(o.f);
    assert_int_equal(access(path, F_OK), -1);
    fputs(" and half", o.f);
    CHECK_OK(gnd_outfile_commit(&o, &err));
    check_content("half and half");
    assert_int_equal(entries(), 1);
    gnd_outfile_discard(&o); /* does nothing now */
    check_content("half and half");
}

static void discard_leaves_the_old(void **state)
{
    gnd_outfile o = {0};
    gnd_error err;

    (void)state;
    gnd_outfile_discard(&o); /* before open: nothing */
    write_file("old");
    CHECK_OK(gnd_outfile_open(&o, path, &err));
    fputs("new", o.f);
    fflush(o.f);
    check_content("old");
    gnd_outfile_discard(&o);
    check_content("old");
    assert_int_equal(entries(), 1);
    unlink(path);
    CHECK_OK(gnd_outfile_open(&o, path, &err));
    gnd_outfile_discard(&o);
    assert_int_equal(entries(), 0);
}

/* The file may not grow beyond 100 bytes: the disk is full for all the writer can tell. */
static void full_disk_keeps_the_old(void **state)
{
    struct rlimit old, small;
    gnd_outfile o = {0};
    gnd_error err;

    (void)state;
    write_file("old");
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 100;
    CHECK_OK(gnd_outfile_open(&o, path, &err));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int i = 0; i < 1000; i++)
        fputs("0123456789", o.f);
    err = (gnd_error){0};
    const gnd_status st = gnd_outfile_commit(&o, &err);

    setrlimit(RLIMIT_FSIZE, &old); /* before cmocka writes anything */
    assert_int_equal(st, GND_ERR_IO);
    assert_non_null(strstr(err.msg, "out.csv: cannot write: "));
    check_content("old");
    assert_int_equal(entries(), 1);
}

/* What /dev/stdout is in a pipeline: a link to something without a name. */
static void nameless_pipe(void **state)
{
    int ends[2];
    char name[64], got[8] = "";
    gnd_outfile o = {0};
    gnd_error err;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
    if (access(name, W_OK) == 0) {
        CHECK_OK(gnd_outfile_open(&o, name, &err));
        fputs("words", o.f);
        CHECK_OK(gnd_outfile_commit(&o, &err));
        assert_int_equal(read(ends[0], got, sizeof got), 5);
        assert_string_equal(got, "words");
    }
    close(ends[0]);
    close(ends[1]);
}

/* A file that the process has open is written where its descriptor stands. */
static void open_descriptor(void **state)
{
    char name[64];
    gnd_outfile o = {0};
    gnd_error err;
    int fd;

    (void)state;
    unlink(path);
    fd = open(path, O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    if (access(name, W_OK) != 0)
        skip();
    assert_int_equal(gnd_path_descriptor(name), fd);
    assert_int_equal(gnd_path_descriptor(path), -1);
    assert_int_equal(gnd_path_descriptor("/proc/1/fd/1"), getpid() == 1 ? 1 : -1);
    assert_int_equal(write(fd, "a", 1), 1);
    CHECK_OK(gnd_outfile_open(&o, name, &err));
    fputs("b", o.f);
    CHECK_OK(gnd_outfile_commit(&o, &err));
    assert_int_equal(write(fd, "c", 1), 1);
    close(fd);
    check_content("abc");
    CHECK_FAILS(gnd_outfile_open(&o, name, &err), GND_ERR_IO, "not open for writing");
    fd = open(path, O_RDONLY);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    CHECK_FAILS(gnd_outfile_open(&o, name, &err), GND_ERR_IO, "not open for writing");
    close(fd);
}

static void full_device(void **state)
{
    gnd_outfile o = {0};
    gnd_error err;

    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    CHECK_OK(gnd_outfile_open(&o, "/dev/full", &err));
    fputs("lost", o.f);
    CHECK_FAILS(gnd_outfile_commit(&o, &err), GND_ERR_IO, "/dev/full: cannot write: ");
    assert_int_equal(access("/dev/full", F_OK), 0);
    CHECK_OK(gnd_outfile_open(&o, "/dev/null", &err)); /* devices are written, not replaced */
    fputs("gone", o.f);
    CHECK_OK(gnd_outfile_commit(&o, &err));
}

static void impossible_targets(void **state)
{
    gnd_outfile o = {0};
    char inside[96];
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_outfile_open(&o, folder, &err), GND_ERR_IO, "is a folder");
    CHECK_FAILS(gnd_outfile_open(&o, "", &err), GND_ERR_ARG, "empty");
    CHECK_FAILS(gnd_outfile_open(&o, "/no/such/folder/x", &err), GND_ERR_IO,
                "/no/such/folder/x: cannot write: ");
    assert_null(o.f);
    assert_null(o.path);
    assert_null(o.temp);
    if (geteuid() == 0)
        return; /* root may write anywhere */
    assert_int_equal(chmod(folder, 0500), 0);
    snprintf(inside, sizeof inside, "%s/new.csv", folder);
    CHECK_FAILS(gnd_outfile_open(&o, inside, &err), GND_ERR_IO, "cannot write: ");
    chmod(folder, 0700);
}

static int mode_of(const char *p)
{
    struct stat sb;

    assert_int_equal(stat(p, &sb), 0);
    return (int)(sb.st_mode & 07777);
}

static void mode_bits(void **state)
{
    const mode_t mask = umask(027);

    (void)state;
    unlink(path);
    write_file("new");
    assert_int_equal(mode_of(path), 0640); /* as any new file */
    chmod(path, 0604);
    write_file("again");
    assert_int_equal(mode_of(path), 0604); /* as it was */
    check_content("again");
    umask(mask);
}

/* What a link points to is replaced, not the link. */
static void links_are_written_through(void **state)
{
    char name[80];
    gnd_error err = {0};
    gnd_outfile o = {0};
    struct stat sb;

    (void)state;
    write_file("old");
    snprintf(name, sizeof name, "%s/link", folder);
    assert_int_equal(symlink(path, name), 0);
    CHECK_OK(gnd_outfile_open(&o, name, &err));
    fputs("new", o.f);
    CHECK_OK(gnd_outfile_commit(&o, &err));
    assert_int_equal(lstat(name, &sb), 0);
    assert_true(S_ISLNK(sb.st_mode));
    check_content("new");
    unlink(name);
}

/* A link whose target does not exist yet: the target appears. */
static void dangling_links(void **state)
{
    char name[80], other[80];
    struct stat sb;
    gnd_error err = {0};
    gnd_outfile o = {0};

    (void)state;
    unlink(path);
    snprintf(name, sizeof name, "%s/link", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    assert_int_equal(symlink("out.csv", name), 0); /* relative to the link's folder */
    assert_int_equal(symlink(name, other), 0);
    CHECK_OK(gnd_outfile_open(&o, other, &err));
    fputs("new", o.f);
    CHECK_OK(gnd_outfile_commit(&o, &err));
    assert_int_equal(lstat(name, &sb), 0);
    assert_true(S_ISLNK(sb.st_mode));
    assert_int_equal(lstat(other, &sb), 0);
    assert_true(S_ISLNK(sb.st_mode));
    check_content("new");
    unlink(name);
    assert_int_equal(symlink(other, name), 0); /* a circle */
    CHECK_FAILS(gnd_outfile_open(&o, name, &err), GND_ERR_IO, "cannot write: ");
    assert_null(o.path);
    unlink(name);
    unlink(other);
}

/* What killed processes left behind is not in the way, whatever it is called. */
static void leftover_files(void **state)
{
    char left[200][96];

    (void)state;
    for (int k = 0; k < 200; k++) {
        snprintf(left[k], sizeof left[k], "%s.%ld-%d.tmp", path, (long)getpid(), k);
        fclose(fopen(left[k], "w"));
    }
    write_file("new");
    check_content("new");
    assert_int_equal(entries(), 201);
    for (int k = 0; k < 200; k++)
        unlink(left[k]);
}

/* A name as long as names may be leaves no room for a longer temporary one. */
static void longest_name(void **state)
{
    char name[400];
    gnd_error err = {0};
    gnd_outfile o = {0};
    const size_t n = strlen(folder) + 1;

    (void)state;
    snprintf(name, sizeof name, "%s/", folder);
    memset(name + n, 'x', 255);
    name[n + 255] = '\0';
    CHECK_OK(gnd_outfile_open(&o, name, &err));
    CHECK_OK(gnd_outfile_commit(&o, &err));
    assert_int_equal(unlink(name), 0);
}

static void public_writer(void **state)
{
    gnd_writer *w = NULL;
    gnd_error err;

    (void)state;
    write_file("old");
    CHECK_OK(gnd_writer_open(&w, path, &err));
    fputs("new", gnd_writer_stream(w));
    gnd_writer_discard(w);
    check_content("old");
    CHECK_OK(gnd_writer_open(&w, path, &err));
    gnd_csv_write(gnd_writer_stream(w), "a,\"b\"");
    CHECK_OK(gnd_writer_close(w, &err));
    check_content("\"a,\"\"b\"\"\"");
    CHECK_FAILS(gnd_writer_open(&w, folder, &err), GND_ERR_IO, "is a folder");
    assert_null(w);
    gnd_writer_discard(NULL);
    NOMEM_WALK(gnd_writer_open(&w, path, &err), assert_true(!w && entries() == 1));
    gnd_writer_discard(w);
    if (access("/dev/full", W_OK) != 0)
        return;
    CHECK_OK(gnd_writer_open(&w, "/dev/full", &err));
    fputs("lost", gnd_writer_stream(w));
    CHECK_FAILS(gnd_writer_close(w, &err), GND_ERR_IO, "/dev/full: cannot write: ");
}

static void short_memory(void **state)
{
    gnd_outfile o = {0};
    gnd_error err;

    (void)state;
    write_file("old");
    NOMEM_WALK(gnd_outfile_open(&o, path, &err),
               assert_true(!o.f && !o.path && !o.temp && entries() == 1));
    gnd_outfile_discard(&o);
    check_content("old");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appears_at_commit),
        cmocka_unit_test(discard_leaves_the_old),
        cmocka_unit_test(full_disk_keeps_the_old),
        cmocka_unit_test(full_device),
        cmocka_unit_test(nameless_pipe),
        cmocka_unit_test(open_descriptor),
        cmocka_unit_test(impossible_targets),
        cmocka_unit_test(mode_bits),
        cmocka_unit_test(links_are_written_through),
        cmocka_unit_test(dangling_links),
        cmocka_unit_test(leftover_files),
        cmocka_unit_test(longest_name),
        cmocka_unit_test(public_writer),
        cmocka_unit_test(short_memory),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
