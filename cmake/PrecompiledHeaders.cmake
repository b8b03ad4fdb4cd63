# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Parses once what most files include: more than half of a build's time went there. Files still include what they use; a
# build with -DTOSAIC_PRECOMPILE=OFF, such as the preset asan, shows where one does not.
function(tosaic_precompile)
  set(common ${CMAKE_SOURCE_DIR}/cmake/common_headers.h)
  target_precompile_headers(tosaic PRIVATE ${common} <CLI/CLI.hpp>)
  foreach(server ${TOSAIC_SERVERS})  # for another CPU each
    target_precompile_headers(${server} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${common}>)
  endforeach()

  # All other targets share one of three.
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cpp CONTENT "")
  _tosaic_precompiled(tosaic_precompiled ${common})
  _tosaic_precompiled(tosaic_precompiled_mlir ${common} ${CMAKE_SOURCE_DIR}/cmake/mlir_headers.h)
  target_include_directories(tosaic_precompiled_mlir SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  separate_arguments(definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_options(tosaic_precompiled_mlir PRIVATE -fPIC ${definitions})
  if(TOSAIC_TESTS)
    _tosaic_precompiled(tosaic_precompiled_tests ${common} <gtest/gtest.h>)
    target_link_libraries(tosaic_precompiled_tests PRIVATE GTest::gtest)
    target_compile_options(tosaic_precompiled_tests PRIVATE -O0 -g0)
  endif()

  foreach(folder ${ARGN})
    _tosaic_reuse_precompiled(${folder})
  endforeach()
endfunction()

# An empty library with these headers.
function(_tosaic_precompiled target)
  add_library(${target} STATIC EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(${target} PRIVATE absl::strings absl::str_format absl::statusor absl::span
    nlohmann_json::nlohmann_json)
  target_precompile_headers(${target} PRIVATE ${ARGN})
endfunction()

# Lets the targets of a folder, and of those below it, use what is precompiled.
function(_tosaic_reuse_precompiled folder)
  get_directory_property(targets DIRECTORY ${folder} BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    get_target_property(links ${target} LINK_LIBRARIES)
    if(target IN_LIST TOSAIC_SERVERS OR target STREQUAL "tosaic")  # which have their own
      continue()
    elseif(MLIR IN_LIST links OR target STREQUAL "elementwise_lowering")  # which finds MLIR in whoever loads it
      target_compile_options(${target} PRIVATE -fPIC)  # as the plugins need it
      target_precompile_headers(${target} REUSE_FROM tosaic_precompiled_mlir)
    elseif(NOT type MATCHES "STATIC_LIBRARY|EXECUTABLE")
      continue()
    elseif(target MATCHES "_test$")  # optimizing a test takes longer than running it, and nobody reads its line tables
      target_compile_options(${target} PRIVATE -O0 -g0)
      target_precompile_headers(${target} REUSE_FROM tosaic_precompiled_tests)
    else()
      target_precompile_headers(${target} REUSE_FROM tosaic_precompiled)
    endif()
  endforeach()
  get_directory_property(below DIRECTORY ${folder} SUBDIRECTORIES)
  foreach(subfolder ${below})
    _tosaic_reuse_precompiled(${subfolder})
  endforeach()
endfunction()
