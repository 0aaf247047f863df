#include "commands/job.h"
#include "vkreduce/sort.h"
VkrResult vkrCmdSort(VkrRecorder r, const VkrSortInfo *i) { (void)r; (void)i; return VKR_ERROR_UNSUPPORTED; }
const char *vkrSortAlgorithmName(VkrSortAlgorithm a) { return a == 0 ? "auto" : a == 1 ? "three-pass" : "one-workgroup"; }
