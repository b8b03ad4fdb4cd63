# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# tosaic_knows_revision(TARGET): gives the target tosaic_revision.h, with TOSAIC_REVISION, the commit that is built. Every build
# asks git; the header changes, and is compiled again, only if the answer does.
function(tosaic_knows_revision target)
  set(folder ${CMAKE_BINARY_DIR}/revision)
  set(script ${CMAKE_SOURCE_DIR}/cmake/Revision.cmake)
  if(NOT TARGET tosaic_revision)
    add_custom_target(tosaic_revision BYPRODUCTS ${folder}/tosaic_revision.h COMMENT ""
      COMMAND ${CMAKE_COMMAND} -DOUTPUT=${folder}/tosaic_revision.h -DSOURCE=${CMAKE_SOURCE_DIR} -P ${script} VERBATIM)
  endif()
  add_dependencies(${target} tosaic_revision)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()

# As a script (cmake -P) it writes that header.
if(CMAKE_SCRIPT_MODE_FILE)
  find_package(Git QUIET)
  if(GIT_FOUND)
    execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12
      WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(NOT revision)
    set(revision unknown)
  endif()
  file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define TOSAIC_REVISION \"${revision}\"\n" @ONLY)
endif()
