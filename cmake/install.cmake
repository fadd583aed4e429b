# SPDX-License-Identifier: MIT
# What `make install` puts where. The pkg-config file and the CMake package find their files relative to
# themselves, so an installed tree may be moved.
include(CMakePackageConfigHelpers)

set(GND_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/gnd)
file(RELATIVE_PATH GND_PC_UP ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" GND_PC_UP "${GND_PC_UP}")
configure_file(cmake/gnd.pc.in gnd.pc @ONLY)
configure_file(cmake/gndConfig.cmake.in gndConfig.cmake @ONLY)
write_basic_package_version_file(gndConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS gnd_shared EXPORT gndTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT gndTargets NAMESPACE gnd:: DESTINATION ${GND_CMAKE_DIR})
install(FILES include/gnd.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_BINARY_DIR}/gndConfig.cmake ${CMAKE_BINARY_DIR}/gndConfigVersion.cmake
        DESTINATION ${GND_CMAKE_DIR})
install(FILES ${CMAKE_BINARY_DIR}/gnd.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/gnd)
install(DIRECTORY results DESTINATION ${CMAKE_INSTALL_DATADIR}/gnd FILES_MATCHING PATTERN *.csv)
install(FILES man/gnd.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES completions/gnd DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
if(TARGET gnd_cli)
    install(TARGETS gnd_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
