/* file_write.c - atomic files. Every function takes its memory before it opens anything, because
 * the arena may leave through its escape. */
#include "runtime/io/file_write.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/base/out.h"
#include "compiler/base/path.h"

/* Names tried for the temporary file; more than one exists only after crashes or in a race. */
enum { TEMPORARY_NAMES = 100 };

static enum file_status status_of(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return FILE_MISSING;
	case EISDIR:
	case ENXIO:
		return FILE_NOT_REGULAR;
	case EACCES:
	case EPERM:
	case EROFS:
		return FILE_DENIED;
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return FILE_FULL;
	default:
		return FILE_FAILED;
	}
}

const char *file_status_text(enum file_status status)
{
	switch (status) {
	case FILE_OK: return "done";
	case FILE_MISSING: return "there is no such file or folder";
	case FILE_NOT_REGULAR: return "it is a folder or device, not a file";
	case FILE_DENIED: return "permission is denied";
	case FILE_FULL: return "no space is left on the device";
	case FILE_FAILED: return "the system reports an error";
	}
	return "";
}

/* The path is changed on the way, and is the same again afterwards. */
static enum file_status make_folders(struct arena *a, char *p)
{
	size_t n = strlen(p);
	struct stat st;

	if (n == 0 || (stat(p, &st) == 0 && S_ISDIR(st.st_mode)))
		return FILE_OK;
	/* ends the path at each slash in turn, then at its end */
	for (size_t i = 1; i <= n; i++) {
		char kept = p[i];
		bool made;

		if (kept != '/' && kept != '\0')
			continue;
		p[i] = '\0';
		made = !arena_file_fails(a) && mkdir(p, 0777) == 0;
		p[i] = kept;
		if (!made && errno != EEXIST && errno != EISDIR)
			return status_of(errno);
	}
	if (arena_file_fails(a) || stat(p, &st) != 0)
		return status_of(errno);
	return S_ISDIR(st.st_mode) ? FILE_OK : FILE_NOT_REGULAR;
}

enum file_status file_make_folders(struct arena *a, struct str path)
{
	return make_folders(a, arena_copy(a, path.p, path.n));
}

static enum file_status write_all(struct arena *a, int fd, struct str bytes)
{
	while (bytes.n > 0) {
		ssize_t done = arena_file_fails(a) ? -1 : write(fd, bytes.p, bytes.n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return status_of(errno);
		bytes = str_slice(bytes, (uint32_t)done, bytes.n);
	}
	return FILE_OK;
}

/* Permissions of the file that is replaced, and the right to execute if asked for. */
static enum file_status set_mode(struct arena *a, int fd, const char *target, unsigned flags)
{
	struct stat old, now;
	mode_t mode;

	if (arena_file_fails(a) || fstat(fd, &now) != 0)
		return status_of(errno);
	mode = now.st_mode & 0777;
	if (lstat(target, &old) == 0 && S_ISREG(old.st_mode))
		mode = old.st_mode & 0777;
	if (flags & FILE_EXECUTABLE)
		mode |= (mode & 0444) >> 2;
	return !arena_file_fails(a) && fchmod(fd, mode) == 0 ? FILE_OK : status_of(errno);
}

/* Opens the first free one of the temporary names; its number is put into `temporary`, which ends
 * in two digits. */
static int open_temporary(char *temporary, size_t n)
{
	for (int i = 0; i < TEMPORARY_NAMES; i++) {
		int fd;

		temporary[n - 2] = (char)('0' + i / 10);
		temporary[n - 1] = (char)('0' + i % 10);
		fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* The name has moved for sure only when the folder is on the disk; a file system that cannot do
 * that for folders is no reason to fail. */
static void flush_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

enum file_status file_target_init(struct file_target *t, struct arena *a, struct str path,
				  unsigned flags)
{
	struct str folder = path_folder(path), name = path_name(path);
	struct out temporary;

	*t = (struct file_target){ .arena = a, .flags = flags, .fd = -1 };
	t->path = arena_copy(a, path.p, path.n);
	if (path.n == 0 || strlen(t->path) != path.n)
		return FILE_MISSING;
	if (name.n == 0)
		return FILE_NOT_REGULAR;
	t->folder = arena_copy(a, folder.p, folder.n);
	out_init(&temporary, a);
	out_str(&temporary, folder);
	out_printf(&temporary, "/.%.*s.planc-00", (int)name.n, name.p);
	t->temporary = arena_copy(a, temporary.p, temporary.n);
	t->temporary_size = temporary.n;
	return FILE_OK;
}

static enum file_status give_up(struct file_target *t, enum file_status status)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
	unlink(t->temporary);
	return status;
}

enum file_status file_target_begin(struct file_target *t)
{
	enum file_status status;
	struct stat st;

	if (t->flags & FILE_MAKE_FOLDERS) {
		status = make_folders(t->arena, t->folder);
		if (status != FILE_OK)
			return status;
	}
	if (lstat(t->path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		return FILE_NOT_REGULAR;
	t->fd = arena_file_fails(t->arena) ? -1 : open_temporary(t->temporary, t->temporary_size);
	if (t->fd < 0)
		return status_of(errno);
	status = set_mode(t->arena, t->fd, t->path, t->flags);
	return status == FILE_OK ? status : give_up(t, status);
}

enum file_status file_target_append(struct file_target *t, struct str bytes)
{
	enum file_status status = write_all(t->arena, t->fd, bytes);

	return status == FILE_OK ? status : give_up(t, status);
}

enum file_status file_target_finish(struct file_target *t)
{
	int fd = t->fd;

	if (arena_file_fails(t->arena) || fsync(fd) != 0)
		return give_up(t, status_of(errno));
	t->fd = -1;
	if (close(fd) != 0 || arena_file_fails(t->arena))
		return give_up(t, status_of(errno));
	if (arena_file_fails(t->arena) || rename(t->temporary, t->path) != 0)
		return give_up(t, status_of(errno));
	flush_folder(t->folder);
	return FILE_OK;
}

void file_target_abandon(struct file_target *t)
{
	give_up(t, FILE_OK);
}

enum file_status file_target_write(struct file_target *t, struct str bytes)
{
	enum file_status status = file_target_begin(t);

	if (status == FILE_OK)
		status = file_target_append(t, bytes);
	return status == FILE_OK ? file_target_finish(t) : status;
}

enum file_status file_write(struct arena *a, struct str path, struct str bytes, unsigned flags)
{
	struct file_target target;
	enum file_status status = file_target_init(&target, a, path, flags);

	return status == FILE_OK ? file_target_write(&target, bytes) : status;
}

/* Reads up to `limit` bytes; -1 on an error. */
static ssize_t read_up_to(struct arena *a, int fd, char *p, size_t limit)
{
	size_t n = 0;

	while (n < limit) {
		ssize_t got = arena_file_fails(a) ? -1 : read(fd, p + n, limit - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		n += (size_t)got;
	}
	return (ssize_t)n;
}

enum file_status file_read_head(struct arena *a, struct str path, uint32_t limit,
				struct str *head)
{
	const char *name = arena_copy(a, path.p, path.n);
	char *p = arena_alloc(a, (size_t)limit + 1);
	enum file_status status = FILE_OK;
	struct stat st;
	ssize_t n;
	int fd = arena_file_fails(a) ? -1
				     : open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return status_of(errno);
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return FILE_NOT_REGULAR;
	}
	n = read_up_to(a, fd, p, limit);
	if (n < 0)
		status = status_of(errno);
	else
		*head = (struct str){ p, (uint32_t)n };
	close(fd);
	return status;
}

enum file_status file_read(struct arena *a, struct str path, struct str *text)
{
	const char *name = arena_copy(a, path.p, path.n);
	struct stat st;

	if (arena_file_fails(a) || stat(name, &st) != 0)
		return status_of(errno);
	if (!S_ISREG(st.st_mode))
		return FILE_NOT_REGULAR;
	if (st.st_size >= UINT32_MAX)
		return FILE_FULL;
	return file_read_head(a, path, (uint32_t)st.st_size, text);
}

bool file_passes_link(struct arena *a, struct str root, struct str path)
{
	struct str whole = path_join(a, root, path);
	uint32_t start = whole.n - path.n;
	char *p = arena_copy(a, whole.p, whole.n);
	struct stat st;

	for (uint32_t i = start + 1; i <= whole.n; i++) {
		char kept = p[i];

		if (kept != '/' && kept != '\0')
			continue;
		p[i] = '\0';
		if (lstat(p, &st) == 0 && S_ISLNK(st.st_mode))
			return true;
		p[i] = kept;
	}
	return false;
}
