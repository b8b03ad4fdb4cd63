// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Group warden: a process that kills a process group once the process that uses the group is dead, however it died.
// PR_SET_PDEATHSIG does so only for a child: the child's own children would live on.
#ifndef TOSAIC_WORKERS_GROUP_WARDEN_H_
#define TOSAIC_WORKERS_GROUP_WARDEN_H_

#include <sys/types.h>

namespace tosaic {

// Starts the warden of this process, unless it has one. If that fails, groups are not guarded.
void StartWarden();

// From now on this group is killed when the process that started the warden ends; 0: no group is. May be called in a
// child that is about to execute a program.
void WardGroup(pid_t group);

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_GROUP_WARDEN_H_
