// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Group warden: a process that kills a process group once the process that works with it is dead, however that died.
// PR_SET_PDEATHSIG does so for a child alone: what the child has started would live on.
#ifndef TOSAIC_WORKERS_GROUP_WARDEN_H_
#define TOSAIC_WORKERS_GROUP_WARDEN_H_

#include <sys/types.h>

namespace tosaic {

// Starts the warden of this process, unless it has one. Where there can be none, groups are not warded.
void StartWarden();

// From now on this group ends with the process that started the warden; 0: none does. May be called in a child that is
// about to execute a program.
void WardGroup(pid_t group);

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_GROUP_WARDEN_H_
