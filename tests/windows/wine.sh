#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the program for Windows that $VKREDUCE names, so that tests can call it as they call others.
exec /usr/lib/wine/wine64 "$VKREDUCE" "$@"
