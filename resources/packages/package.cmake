# The Debian package, made by CPack from what is installed (./dev package). Libraries that it depends on are found by
# dpkg-shlibdeps.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME blockscope)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "The Blockscope developers")
set(CPACK_PACKAGE_CONTACT "The Blockscope developers <developers@blockscope.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "see AI operator fusion, step by step")
set(CPACK_PACKAGE_DESCRIPTION "Blockscope shows how a program of large array operators becomes fused kernels.
 It draws block programs, applies the fusion rules of the Blockbuster paper one
 at a time, shows what every state moves and costs, and generates, runs and
 times kernels on the processor or on an NVIDIA card.")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
  WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# What Debian's policy asks for besides: the licence, a list of changes, and pages of the manual that are compressed.
option(BLOCKSCOPE_DEBIAN "Install as Debian's policy asks, for the package" OFF)
if(BLOCKSCOPE_DEBIAN)
  set(folder ${PROJECT_SOURCE_DIR}/resources/packages)
  set(doc ${CMAKE_INSTALL_DATAROOTDIR}/doc/blockscope)
  install(FILES ${folder}/copyright DESTINATION ${doc})
  install(FILES ${folder}/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME blockscope)
  install(CODE "
    set(root \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX})
    file(WRITE \${root}/${doc}/changelog
      \"blockscope (${PROJECT_VERSION}) unstable; urgency=low\\n\\n  * See the history of the repository.\\n\\n -- ${CPACK_PACKAGE_CONTACT}  Thu, 01 Jan 2026 00:00:00 +0000\\n\")
    execute_process(COMMAND gzip -9nf \${root}/${doc}/changelog
      \${root}/${CMAKE_INSTALL_MANDIR}/man1/blockscope-cli.1
      \${root}/${CMAKE_INSTALL_MANDIR}/man1/blockscope.1 COMMAND_ERROR_IS_FATAL ANY)
  ")
endif()
include(CPack)
