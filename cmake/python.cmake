# SPDX-License-Identifier: MIT
# What a wheel contains besides the Python files: the library, once and without a version in its name, and the
# bundled data. scikit-build-core installs this component only (pyproject.toml).
option(GND_STATIC_LIBS "Link zlib, jansson, libzip, SQLite and expat statically (tools/make_wheel.sh)" OFF)
set(GND_PREBUILT "" CACHE FILEPATH "A libgnd.so to put into the wheel instead of building one")

install(DIRECTORY data/ DESTINATION gnd/data COMPONENT python)
if(GND_PREBUILT)
    get_filename_component(GND_PREBUILT_FILE ${GND_PREBUILT} REALPATH)
    install(PROGRAMS ${GND_PREBUILT_FILE} DESTINATION gnd RENAME libgnd.so COMPONENT python)
    return()
endif()
set_target_properties(gnd_shared PROPERTIES NO_SONAME ON)
foreach(property VERSION SOVERSION)
    set_property(TARGET gnd_shared PROPERTY ${property})
endforeach()
if(GND_STATIC_LIBS)
    # Symbols of the static libraries stay inside; unused functions are left out.
    target_link_options(gnd_shared PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/python.map -Wl,--gc-sections
                        -s)
    set_property(TARGET gnd_shared PROPERTY LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/python.map)
endif()
install(TARGETS gnd_shared LIBRARY DESTINATION gnd COMPONENT python NAMELINK_SKIP)
