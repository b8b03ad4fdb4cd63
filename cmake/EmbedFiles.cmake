# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# tosaic_embed(TARGET FUNCTION HEADER BASE FILE ...): text files that the binary takes along, as a function of the target
# that returns them in order, each with its path from the folder BASE. HEADER declares it:
#   absl::Span<const EmbeddedFile> FUNCTION();
function(tosaic_embed target function header base)
  set(paths ${ARGN})
  list(SORT paths)
  list(TRANSFORM paths PREPEND ${base}/ OUTPUT_VARIABLE whole_paths)
  set(embedded ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  set(script ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake)
  add_custom_command(OUTPUT ${embedded}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${embedded} -DHEADER=${header} -DFUNCTION=${function} -DBASE=${base}
      "-DFILES=${paths}" -P ${script}
    DEPENDS ${whole_paths} ${script} VERBATIM)
  target_sources(${target} PRIVATE ${embedded})
endfunction()

# As a script (cmake -P) it writes that function's source.
if(CMAKE_SCRIPT_MODE_FILE)
  set(source "// Made by cmake/EmbedFiles.cmake.\n#include \"${HEADER}\"\n\nnamespace tosaic {\n")
  string(APPEND source "absl::Span<const EmbeddedFile> ${FUNCTION}() {\n  static constexpr EmbeddedFile kFiles[] = {\n")
  foreach(file ${FILES})
    file(READ ${BASE}/${file} content)
    # A string literal may be 64 KiB long at most, as far as the standard promises: pieces of half of that.
    string(LENGTH "${content}" length)
    set(literals "")
    set(at 0)
    while(at LESS length)
      string(SUBSTRING "${content}" ${at} 30000 piece)
      string(APPEND literals "R\"~~~(${piece})~~~\"\n")
      math(EXPR at "${at} + 30000")
    endwhile()
    string(APPEND source "{\"${file}\", ${literals}},\n")
  endforeach()
  string(APPEND source "  };\n  return kFiles;\n}\n}  // namespace tosaic\n")
  file(WRITE ${OUTPUT} "${source}")
endif()
