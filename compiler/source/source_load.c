/* source_load.c - reads files from disk into the arena. */
#include "compiler/source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_CAPACITY = 4096 };

static enum source_status status_of_errno(int error)
{
	return error == ENOENT || error == ENOTDIR ? SOURCE_MISSING : SOURCE_UNREADABLE;
}

/* Opens a regular file and finds its size. Nothing but a regular file is ever read: a pipe would
 * block and a device has no end; O_NONBLOCK keeps the open itself from waiting for a writer. */
static enum source_status open_file(struct arena *a, const char *path, int *fd, uint64_t *size)
{
	struct stat st;

	if (arena_file_fails(a))
		return SOURCE_UNREADABLE;
	*fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (*fd < 0)
		return status_of_errno(errno);
	if (fstat(*fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(*fd);
		return SOURCE_NOT_FILE;
	}
	*size = (uint64_t)st.st_size;
	return SOURCE_OK;
}

/* Reads until the end or until `capacity` bytes are there. False on an error of the system. */
static bool read_all(struct arena *a, int fd, char *p, size_t capacity, size_t *n)
{
	*n = 0;
	while (*n < capacity) {
		ssize_t got = arena_file_fails(a) ? -1 : read(fd, p + *n, capacity - *n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		if (got == 0)
			break;
		*n += (size_t)got;
	}
	return true;
}

/* Reads the file into p. *n == capacity means that there may be more. */
static enum source_status read_file(struct arena *a, const char *path, char *p, size_t capacity,
				    size_t *n)
{
	uint64_t size;
	int fd;
	enum source_status status = open_file(a, path, &fd, &size);

	if (status != SOURCE_OK)
		return status;
	if (!read_all(a, fd, p, capacity, n))
		status = SOURCE_UNREADABLE;
	close(fd);
	return status;
}

/* Memory is taken while no file is open, because the arena may leave through its escape. A file
 * that grows between the two looks is read again with more room. */
enum source_status sources_load(struct sources *s, struct str path, uint32_t *file)
{
	const char *name = arena_copy(s->arena, path.p, path.n);
	struct arena_mark mark = arena_mark(s->arena);
	uint64_t capacity;
	size_t n;
	char *p;
	int fd;
	enum source_status status;

	if (path.n == 0 || strlen(name) != path.n)
		return SOURCE_MISSING;
	status = open_file(s->arena, name, &fd, &capacity);
	if (status != SOURCE_OK)
		return status;
	close(fd);
	for (capacity++; capacity <= (uint64_t)s->size_max + 1; capacity *= 2) {
		if (capacity < FIRST_CAPACITY)
			capacity = FIRST_CAPACITY;
		p = arena_alloc(s->arena, (size_t)capacity + 1);
		status = read_file(s->arena, name, p, (size_t)capacity, &n);
		if (status == SOURCE_OK && n < capacity && n <= s->size_max) {
			p[n] = '\0';
			*file = sources_add(s, path, (struct str){ p, (uint32_t)n }, false);
			return SOURCE_OK;
		}
		arena_reset(s->arena, mark);
		if (status != SOURCE_OK)
			return status;
	}
	return SOURCE_TOO_LARGE;
}
