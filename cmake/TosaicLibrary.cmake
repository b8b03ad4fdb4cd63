# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/ci/rooms.txt)
file(STRINGS ${CMAKE_SOURCE_DIR}/ci/rooms.txt tosaic_rooms REGEX "^[^#]")

# tosaic_row(ROOMS SEEN): the row of this folder, as the targets of the rooms that it may include, and which of MLIR and LLVM.
function(tosaic_row rooms seen)
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(row ${tosaic_rooms})
    if(row MATCHES "^${folder}: *([^|]*)\\|?(.*)$")
      set(others ${CMAKE_MATCH_2})
      separate_arguments(names UNIX_COMMAND "${CMAKE_MATCH_1}")
      list(TRANSFORM names REPLACE "/" "_")
      list(TRANSFORM names PREPEND tosaic_)
      set(${rooms} ${names} PARENT_SCOPE)
      string(TOUPPER "${others}" others)
      separate_arguments(others UNIX_COMMAND "${others}")
      set(${seen} ${others} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "${folder} has no row in ci/rooms.txt")
endfunction()

# tosaic_link_rooms(TARGET SCOPE): links the rooms that the folder may include.
function(tosaic_link_rooms target scope)
  tosaic_row(rooms seen)
  target_link_libraries(${target} ${scope} ${rooms})
endfunction()

# Of these rooms, the code takes next to nothing of a command's time.
set(tosaic_seldom_run results reports reports_reproducer checking importing diagnosis campaign conformance lit mutants nightly
  toolchain_external toolchain_capi toolchain_adapter)

# Inlines no more than -Os would, which takes a fifth off the compile time. (-Os itself would need its own precompiled headers.)
function(tosaic_inline_less target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${target} PRIVATE "SHELL:-mllvm -inline-threshold=50")
  endif()
endfunction()

# tosaic_tests(TARGET [SUITE ...]): each test is one of ctest, in a process of its own, but for the suites named: what they
# prepare takes longer than their tests, so that each is one of ctest as a whole.
function(tosaic_tests target)
  set(others)
  if(ARGN)
    list(TRANSFORM ARGN APPEND ".*" OUTPUT_VARIABLE suites)
    list(JOIN suites ":" suites)
    set(others TEST_FILTER "-${suites}")
  endif()
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 ${others})
  foreach(suite ${ARGN})
    add_test(NAME ${suite} COMMAND ${target} --gtest_filter=${suite}.*)
    set_tests_properties(${suite} PROPERTIES COST 60)  # begun early: one process runs them all
  endforeach()
endfunction()

# tosaic_library([DEPS ...] [TEST_DEPS ...] [SUITES ...]): every x.cpp of the folder makes a library, every x_test.cpp its test program.
# They are named after the folder's path: toolchain/mlir makes tosaic_toolchain_mlir and toolchain_mlir_test. New files are
# picked up without a line here; a sub-folder is a library of its own (add_subdirectory). It is linked to the rooms that it
# may include, to MLIR and LLVM where its row says so, and to DEPS, which are no rooms. SUITES are those of tosaic_tests.
function(tosaic_library)
  cmake_parse_arguments(ARG "" "" "DEPS;TEST_DEPS;SUITES" ${ARGN})
  file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "_" name ${name})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  if(sources)
    add_library(tosaic_${name} STATIC ${sources})
    target_link_libraries(tosaic_${name} PUBLIC ${ARG_DEPS})
    tosaic_link_rooms(tosaic_${name} PUBLIC)
    tosaic_batches(tosaic_${name})
    if(name IN_LIST tosaic_seldom_run)
      tosaic_inline_less(tosaic_${name})
    endif()
  else()  # headers alone
    add_library(tosaic_${name} INTERFACE)
    target_link_libraries(tosaic_${name} INTERFACE ${ARG_DEPS})
    tosaic_link_rooms(tosaic_${name} INTERFACE)
  endif()
  if(tests AND TOSAIC_TESTS)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE tosaic_${name} ${ARG_TEST_DEPS} GTest::gtest GTest::gtest_main
      Threads::Threads)
    target_compile_definitions(${name}_test PRIVATE TOSAIC_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    tosaic_batches(${name}_test)
    tosaic_tests(${name}_test ${ARG_SUITES})
  endif()
  tosaic_row(rooms seen)
  if(seen)
    tosaic_sees(${seen})
  endif()
endfunction()

# tosaic_sees(MLIR LLVM): the folder's own files include these and link to them; whoever uses the folder does not.
function(tosaic_sees)
  file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "_" name ${name})
  separate_arguments(definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
  foreach(target tosaic_${name} ${name}_test)
    if(TARGET ${target})
      target_include_directories(${target} SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
      target_compile_options(${target} PRIVATE ${definitions})
      target_link_libraries(${target} PRIVATE ${ARGN})
    endif()
  endforeach()
endfunction()

# What MLIR's own tools load is built without sanitizers: those programs have none, and lack their functions.
function(tosaic_without_sanitizers target)
  if(TOSAIC_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-sanitize=all)
    target_link_options(${target} PRIVATE -fno-sanitize=all)
  endif()
endfunction()

# Compiles the target's files in batches: headers and templates are read once in each. So names in the anonymous namespaces of
# a folder differ; a build with -DTOSAIC_BATCHES=OFF, such as the preset asan, shows what a file forgets to include. Whoever
# changes a file often may prefer it: of a folder's 24 files, that compiles one. All in one take two thirds of the time that
# batches of 8 take.
function(tosaic_batches target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TOSAIC_BATCHES} UNITY_BUILD_BATCH_SIZE 24)
endfunction()
