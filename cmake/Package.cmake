# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` and `cpack` take: the binary, the corpus with the lists of known divergences, the documents, and a man
# page and completions that the binary itself writes from its flags.
set(CMAKE_INSTALL_DOCDIR share/doc/tosaic)
include(GNUInstallDirs)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # tests and benchmarks are not needed for it

set(bash_completions ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
set(zsh_completions ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(TARGETS tosaic tosaic-capi-worker ${TOSAIC_SERVERS})
install(DIRECTORY corpus/regressions corpus/rules corpus/spec corpus/upstream DESTINATION ${CMAKE_INSTALL_DATADIR}/tosaic/corpus)
install(FILES corpus/known-divergences.json corpus/known-divergences-validate.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/tosaic/corpus)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md CHANGELOG.md LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(made_here ${CMAKE_BINARY_DIR}/manual)
file(MAKE_DIRECTORY ${made_here})
foreach(made "--man:tosaic.1" "--completion=bash:tosaic" "--completion=zsh:_tosaic")
  string(REGEX MATCH "^(.*):(.*)$" ignored ${made})
  install(CODE "execute_process(COMMAND \"$<TARGET_FILE:tosaic>\" help ${CMAKE_MATCH_1}
    OUTPUT_FILE \"${made_here}/${CMAKE_MATCH_2}\" COMMAND_ERROR_IS_FATAL ANY)")
endforeach()
install(FILES ${made_here}/tosaic.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made_here}/tosaic DESTINATION ${bash_completions})
install(FILES ${made_here}/_tosaic DESTINATION ${zsh_completions})

# A package for the Debian that it is built on, whose libraries dpkg-shlibdeps finds. It has the licence where Debian looks for it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tosaic)
set(CPACK_PACKAGE_CONTACT "The Tosaic authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# `tosaic reproduce` writes scripts for these; --toolchain runs other versions' tools.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "mlir-${LLVM_VERSION_MAJOR}-tools")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "mlir-19-tools, mlir-16-tools")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
include(CPack)
