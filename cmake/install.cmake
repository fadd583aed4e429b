# SPDX-License-Identifier: MIT
# What `make install` puts where. The pkg-config file and the CMake package find their files relative to
# themselves, so an installed tree may be moved.
include(CMakePackageConfigHelpers)

# What a program needs that links the static library: for pkg-config --static, and as the CMake code that finds it.
get_target_property(linked gnd_shared LINK_LIBRARIES)
foreach(library ${linked})
    if(library MATCHES "^PkgConfig::(.*)$")
        set(prefix ${CMAKE_MATCH_1})
        foreach(name ${${prefix}_LIBRARIES})
            string(APPEND GND_PC_LIBS " -l${name}")
        endforeach()
        string(APPEND GND_CMAKE_MODULES
               "    pkg_check_modules(${prefix} REQUIRED IMPORTED_TARGET ${${prefix}_MODULE_NAME})\n")
    elseif(library STREQUAL "ZLIB::ZLIB")
        string(APPEND GND_PC_LIBS " -lz")
    elseif(library STREQUAL "Threads::Threads")
        string(APPEND GND_PC_LIBS " -pthread")
    else()
        string(APPEND GND_PC_LIBS " -l${library}")
    endif()
endforeach()
string(STRIP "${GND_CMAKE_MODULES}" GND_CMAKE_MODULES)
string(PREPEND GND_CMAKE_MODULES "    ")

set(GND_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/gnd)
file(RELATIVE_PATH GND_PC_UP ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" GND_PC_UP "${GND_PC_UP}")
configure_file(cmake/gnd.pc.in gnd.pc @ONLY)
configure_file(cmake/gndConfig.cmake.in gndConfig.cmake @ONLY)
write_basic_package_version_file(gndConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS gnd_shared EXPORT gndTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS gnd_static EXPORT gndStaticTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT gndTargets NAMESPACE gnd:: DESTINATION ${GND_CMAKE_DIR})
install(EXPORT gndStaticTargets NAMESPACE gnd:: DESTINATION ${GND_CMAKE_DIR})
install(FILES include/gnd.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_BINARY_DIR}/gndConfig.cmake ${CMAKE_BINARY_DIR}/gndConfigVersion.cmake
        DESTINATION ${GND_CMAKE_DIR})
install(FILES ${CMAKE_BINARY_DIR}/gnd.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/gnd)
install(DIRECTORY results DESTINATION ${CMAKE_INSTALL_DATADIR}/gnd FILES_MATCHING PATTERN *.csv)
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET gnd_cli)
    install(TARGETS gnd_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# The program makes its manual pages and completion scripts. A program for another machine needs an emulator for this.
set(made ${CMAKE_BINARY_DIR}/made)
if(TARGET gnd_cli AND (NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR))
    add_custom_command(OUTPUT ${made}/man1/gnd.1
        COMMAND ${CMAKE_COMMAND} "-DGND=${CMAKE_CROSSCOMPILING_EMULATOR};$<TARGET_FILE:gnd_cli>" -DOUT=${made}
                -P ${CMAKE_SOURCE_DIR}/cmake/manual.cmake
        DEPENDS gnd_cli cmake/manual.cmake VERBATIM)
    add_custom_target(gnd_manual ALL DEPENDS ${made}/man1/gnd.1)
    install(DIRECTORY ${made}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
    install(FILES ${made}/completions/gnd DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${made}/completions/_gnd DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${made}/completions/gnd.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
elseif(TARGET gnd_cli)
    add_custom_target(gnd_manual)
    message(STATUS "no manual pages and completions: CMAKE_CROSSCOMPILING_EMULATOR is not set")
endif()
