# cmake -DOUTPUT=x.cpp -DHEADER=x.h -DFUNCTION=F -DBASE=DIR -DFILES=a;b -P EmbedFiles.cmake: text files as C++ source, a
# function F() that returns them as pairs of path (from BASE) and content.
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
