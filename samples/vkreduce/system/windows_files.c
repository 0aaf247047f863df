/* SPDX-License-Identifier: MIT */
/* Files are descriptors of the C library, so that an int stands for one, but are opened, read and
 * written by the system: the library's functions have 32-bit positions, change the bytes of texts,
 * and do not let others rename or remove an open file. */
#include "system/windows_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include "system/system.h"

#define MAX_NAME 1024       /* UTF-16 units of the name of a temporary file */
#define MAX_PART (1u << 30) /* bytes that one call of the system reads or writes */

HANDLE windows_handle(int file)
{
    return (HANDLE)_get_osfhandle(file);
}

/* Makes a descriptor of a handle, or closes it. */
static int adopt(HANDLE handle, int flags)
{
    if (handle == INVALID_HANDLE_VALUE) {
        windows_set_errno();
        return -1;
    }
    const int file = _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT | flags);
    if (file < 0)
        (void)CloseHandle(handle);
    return file;
}

/* Opens a file that all other programs may use and remove. */
static int open_shared(const char *name, DWORD access, DWORD creation, DWORD flags, int mode)
{
    wchar_t *wide = windows_widen(name);
    const int file =
        wide != NULL
            ? adopt(CreateFileW(wide, access, SHARE_ALL, NULL, creation, flags, NULL), mode)
            : -1;
    free(wide);
    return file;
}

bool file_examine(int file, file_state *state)
{
    const HANDLE handle = windows_handle(file);
    const LARGE_INTEGER here = {.QuadPart = 0};
    LARGE_INTEGER size, position;
    BY_HANDLE_FILE_INFORMATION found;
    *state = (file_state){.kind = KIND_OTHER};
    SetLastError(ERROR_SUCCESS);
    if (GetFileType(handle) != FILE_TYPE_DISK) {
        windows_set_errno();
        return GetLastError() == ERROR_SUCCESS;
    }
    if (!GetFileSizeEx(handle, &size)) {
        windows_set_errno();
        return false;
    }
    /* wine knows nothing else about a file that is the standard input. */
    const bool is_folder = GetFileInformationByHandle(handle, &found) &&
                           (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    state->kind = is_folder ? KIND_FOLDER : KIND_FILE;
    state->size = is_folder ? 0 : (uint64_t)size.QuadPart;
    if (SetFilePointerEx(handle, here, &position, FILE_CURRENT))
        state->position = (uint64_t)position.QuadPart;
    return true;
}

/* Without the flag, folders could not be opened and recognised. */
int file_open(const char *name)
{
    return open_shared(name, GENERIC_READ, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, _O_RDONLY);
}

bool file_find(const char *name, file_state *state)
{
    const int file = open_shared(name, FILE_READ_ATTRIBUTES, OPEN_EXISTING,
                                 FILE_FLAG_BACKUP_SEMANTICS, _O_RDONLY);
    const bool known = file >= 0 && file_examine(file, state);
    if (file >= 0)
        (void)_close(file);
    return known;
}

int file_open_standard_input(void)
{
    return _dup(0);
}

int file_create(const char *name, const file_state *before)
{
    (void)before;
    return open_shared(name, GENERIC_READ | GENERIC_WRITE, CREATE_NEW, FILE_ATTRIBUTE_NORMAL,
                       _O_RDWR);
}

const char temporary_variable[] = "TMP";

const char *temporary_folder(void)
{
    static char *folder;
    wchar_t path[MAX_NAME];
    const DWORD length = GetTempPathW(MAX_NAME, path);
    free(folder);
    folder = length > 0 && length < MAX_NAME ? windows_narrow(path) : NULL;
    return folder != NULL ? folder : "the folder of temporary files";
}

int file_create_unnamed(void)
{
    wchar_t folder[MAX_NAME], name[MAX_NAME];
    const DWORD length = GetTempPathW(MAX_NAME, folder);
    if (length == 0 || length >= MAX_NAME || GetTempFileNameW(folder, L"vkr", 0, name) == 0) {
        windows_set_errno();
        return -1;
    }
    const int file =
        adopt(CreateFileW(name, GENERIC_READ | GENERIC_WRITE, SHARE_ALL, NULL, CREATE_ALWAYS,
                          FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL),
              _O_RDWR);
    if (file < 0)
        (void)DeleteFileW(name);
    return file;
}

FILE *file_create_stream(void)
{
    const int file = file_create_unnamed();
    FILE *stream = file >= 0 ? _fdopen(file, "w+b") : NULL;
    if (stream == NULL && file >= 0)
        (void)_close(file);
    return stream;
}

bool file_close(int file)
{
    return _close(file) == 0;
}

/* Reads or writes at a position. The system would move the position of the next byte. */
static ptrdiff_t transfer(int file, void *to, const void *from, size_t size, uint64_t offset)
{
    const HANDLE handle = windows_handle(file);
    const LARGE_INTEGER here = {.QuadPart = 0};
    LARGE_INTEGER before;
    OVERLAPPED at = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
    const DWORD part = size < MAX_PART ? (DWORD)size : MAX_PART;
    DWORD done = 0;
    if (!SetFilePointerEx(handle, here, &before, FILE_CURRENT)) {
        windows_set_errno();
        return -1;
    }
    const BOOL good = to != NULL ? ReadFile(handle, to, part, &done, &at)
                                 : WriteFile(handle, from, part, &done, &at);
    const bool is_end = !good && GetLastError() == ERROR_HANDLE_EOF;
    if (!good && !is_end)
        windows_set_errno();
    (void)SetFilePointerEx(handle, before, NULL, FILE_BEGIN);
    return good || is_end ? (ptrdiff_t)done : -1;
}

ptrdiff_t file_read(int file, void *data, size_t size, uint64_t offset)
{
    return transfer(file, data, NULL, size, offset);
}

ptrdiff_t file_write(int file, const void *data, size_t size, uint64_t offset)
{
    return transfer(file, NULL, data, size, offset);
}

/* The end of a pipe is the end of its file. */
ptrdiff_t file_read_next(int file, void *data, size_t size)
{
    DWORD got = 0;
    if (ReadFile(windows_handle(file), data, size < MAX_PART ? (DWORD)size : MAX_PART, &got,
                 NULL) ||
        GetLastError() == ERROR_BROKEN_PIPE)
        return (ptrdiff_t)got;
    windows_set_errno();
    return -1;
}

ptrdiff_t file_write_next(int file, const void *data, size_t size)
{
    DWORD done = 0;
    if (WriteFile(windows_handle(file), data, size < MAX_PART ? (DWORD)size : MAX_PART, &done,
                  NULL))
        return (ptrdiff_t)done;
    windows_set_errno();
    return -1;
}

/* Symbolic links are rare, and are replaced. */
char *file_target(const char *name)
{
    return _strdup(name);
}

/* Replaces an open file, such as the command's own input, which can be renamed but not replaced. */
static bool replace_open(const wchar_t *from, const wchar_t *to)
{
    wchar_t aside[MAX_NAME];
    const DWORD attributes = GetFileAttributesW(to);
    if ((attributes & FILE_ATTRIBUTE_READONLY) != 0 || wcslen(from) + 5 > MAX_NAME)
        return false;
    wcscpy(aside, from);
    wcscat(aside, L".old");
    if (!MoveFileExW(to, aside, 0))
        return false;
    const bool done = MoveFileExW(from, to, 0) != 0;
    (void)(done ? DeleteFileW(aside) : MoveFileExW(aside, to, 0));
    return done;
}

bool file_replace(const char *from, const char *to)
{
    wchar_t *wide[] = {windows_widen(from), windows_widen(to)};
    bool done = wide[0] != NULL && wide[1] != NULL;
    if (done && !MoveFileExW(wide[0], wide[1], MOVEFILE_REPLACE_EXISTING)) {
        windows_set_errno();
        const int number = errno;
        done = number == EACCES && replace_open(wide[0], wide[1]);
        errno = number;
    }
    free(wide[0]);
    free(wide[1]);
    return done;
}

bool file_remove(const char *name)
{
    wchar_t *wide = windows_widen(name);
    bool done = wide != NULL;
    if (done && !DeleteFileW(wide)) {
        windows_set_errno();
        const int number = errno;
        const DWORD attributes = GetFileAttributesW(wide);
        const bool is_folder =
            attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
        errno = is_folder ? EISDIR : number;
        done = false;
    }
    free(wide);
    return done;
}

bool folder_create(const char *name)
{
    wchar_t *wide = windows_widen(name);
    const bool done = wide != NULL && CreateDirectoryW(wide, NULL);
    if (wide != NULL && !done)
        windows_set_errno();
    free(wide);
    return done;
}

bool folder_remove(const char *name)
{
    wchar_t *wide = windows_widen(name);
    const bool done = wide != NULL && RemoveDirectoryW(wide);
    if (wide != NULL && !done)
        windows_set_errno();
    free(wide);
    return done;
}
