/* SPDX-License-Identifier: MIT */
#include "system/windows_inside.h"
#include <shellapi.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include "system/system.h"

#define MAX_LINE 1024 /* bytes of a command line */

static UINT page_before; /* the terminal's code page */

/* ---- Errors and texts ---- */

/* Sets errno by the last error of the system. */
void windows_set_errno(void)
{
    static const struct {
        DWORD error;
        int number;
    } rows[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},   {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},     {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},      {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_ACCESS_DENIED, EACCES},    {ERROR_SHARING_VIOLATION, EACCES},
        {ERROR_LOCK_VIOLATION, EACCES},   {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_FILE_EXISTS, EEXIST},      {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_DISK_FULL, ENOSPC},        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_FILE_TOO_LARGE, EFBIG},    {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_BROKEN_PIPE, EPIPE},       {ERROR_NO_DATA, EPIPE},
        {ERROR_INVALID_HANDLE, EBADF},    {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_OUTOFMEMORY, ENOMEM},      {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_OPERATION_ABORTED, EINTR}, {ERROR_NO_UNICODE_TRANSLATION, EILSEQ},
    };
    const DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].error == error)
            errno = rows[i].number;
}

wchar_t *windows_widen(const char *text)
{
    const int units = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *wide = units > 0 ? malloc((size_t)units * sizeof *wide) : NULL;
    if (wide != NULL)
        (void)MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, units);
    else if (units <= 0)
        windows_set_errno();
    return wide;
}

char *windows_narrow(const wchar_t *wide)
{
    const int bytes = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = bytes > 0 ? malloc((size_t)bytes) : NULL;
    if (text != NULL)
        (void)WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, bytes, NULL, NULL);
    return text;
}

/* ---- The start ---- */

static void restore_page(void)
{
    (void)SetConsoleOutputCP(page_before);
}

const char null_file[] = "NUL";

bool system_start(int *argc, char ***argv)
{
    int count;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **arguments = wide != NULL ? calloc((size_t)count + 1, sizeof *arguments) : NULL;
    if (arguments == NULL)
        return false;
    for (int i = 0; i < count; i++) {
        arguments[i] = windows_narrow(wide[i]);
        if (arguments[i] == NULL)
            return false;
    }
    (void)LocalFree(wide);
    *argc = count;
    *argv = arguments;
    for (int file = 0; file < 3; file++)
        (void)_setmode(file, _O_BINARY);
    (void)setvbuf(stderr, NULL, _IOFBF, BUFSIZ); /* a letter of several bytes must stay whole */
    page_before = GetConsoleOutputCP();
    if (page_before != 0 && SetConsoleOutputCP(CP_UTF8))
        (void)atexit(restore_page);
    return true;
}

/* ---- Terminal and programs ---- */

int terminal_columns(void)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    if (!GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &info))
        return 0;
    const int columns = info.srWindow.Right - info.srWindow.Left + 1;
    return columns > 0 ? columns : 80;
}

double clock_seconds(void)
{
    LARGE_INTEGER count, rate;
    (void)QueryPerformanceCounter(&count);
    (void)QueryPerformanceFrequency(&rate);
    return (double)count.QuadPart / (double)rate.QuadPart;
}

/* Returns the command line of arguments that need no quotes. */
static wchar_t *join(char *const arguments[])
{
    char line[MAX_LINE] = "";
    for (size_t i = 0; arguments[i] != NULL; i++) {
        if (strlen(line) + strlen(arguments[i]) + 2 > sizeof line) {
            errno = E2BIG;
            return NULL;
        }
        strcat(line, i > 0 ? " " : "");
        strcat(line, arguments[i]);
    }
    return windows_widen(line);
}

int run_program(char *const arguments[], int in, int out, int err, int *ended)
{
    const int files[] = {in, out, err};
    HANDLE handles[3];
    PROCESS_INFORMATION program;
    DWORD code = 1;
    int result = 0;
    wchar_t *line = join(arguments);
    if (line == NULL)
        return errno;
    for (int i = 0; i < 3; i++) {
        handles[i] = files[i] >= 0 ? windows_handle(files[i])
                                   : CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, SHARE_ALL,
                                                 NULL, OPEN_EXISTING, 0, NULL);
        (void)SetHandleInformation(handles[i], HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    }
    STARTUPINFOW start = {.cb = sizeof start,
                          .dwFlags = STARTF_USESTDHANDLES,
                          .hStdInput = handles[0],
                          .hStdOutput = handles[1],
                          .hStdError = handles[2]};
    if (CreateProcessW(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &program)) {
        (void)WaitForSingleObject(program.hProcess, INFINITE);
        (void)GetExitCodeProcess(program.hProcess, &code);
        (void)CloseHandle(program.hProcess);
        (void)CloseHandle(program.hThread);
    } else {
        windows_set_errno();
        result = errno;
    }
    for (int i = 0; i < 3; i++) {
        (void)SetHandleInformation(handles[i], HANDLE_FLAG_INHERIT, 0);
        if (files[i] < 0)
            (void)CloseHandle(handles[i]);
    }
    free(line);
    *ended = (int)code;
    return result;
}

int stream_file(FILE *stream)
{
    return _fileno(stream);
}

long process_number(void)
{
    return (long)GetCurrentProcessId();
}
