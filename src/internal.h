/* SPDX-License-Identifier: MIT */
/* Modules that were generated before src/ had folders include this name. */
#include "core/kernels.h"
