/* SPDX-License-Identifier: MIT */
/* A pyramid on the device. */
#ifndef RUNNER_PYRAMID_DEVICE_H
#define RUNNER_PYRAMID_DEVICE_H

#include "commands/pyramid/results.h"
#include "device/image.h"

/* The images and buffers of a chain. */
typedef struct pyramid_images {
    gpu_image below, image;
    VkrImage source;
    VkrImage levels[VKR_MAX_PYRAMID_LEVELS];
    gpu_buffer upload, download;
} pyramid_images;

typedef struct pyramid_device {
    task *task;
    const pyramid_request *request;
    pyramid_results *results; /* whose words lie in the buffers */
    pyramid_images images[2];
    VkrRecorder recorder;
} pyramid_device;

/* Executes the request. pyramid_close may follow a failure, and ends the results. */
int pyramid_execute(pyramid_device *d, task *t, const pyramid_request *r, pyramid_results *results);
void pyramid_close(pyramid_device *d);

#endif
