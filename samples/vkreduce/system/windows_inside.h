/* SPDX-License-Identifier: MIT */
/* What the files for Windows share. */
#ifndef RUNNER_WINDOWS_INSIDE_H
#define RUNNER_WINDOWS_INSIDE_H

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

/* Sets errno by the last error of the system. */
void windows_set_errno(void);

/* Return a text from malloc; NULL, with errno, means failure. */
wchar_t *windows_widen(const char *text);
char *windows_narrow(const wchar_t *wide);

HANDLE windows_handle(int file);

#endif
