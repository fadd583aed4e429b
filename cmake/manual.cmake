# SPDX-License-Identifier: MIT
# Write the manual pages and completion scripts that gnd makes from the tables of its commands.
#
#     cmake -DGND=PROGRAM -DOUT=FOLDER -P cmake/manual.cmake     PROGRAM: gnd, after an emulator if it needs one
function(write file)
    execute_process(COMMAND ${GND} help ${ARGN} OUTPUT_FILE ${OUT}/${file} RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${GND} help ${ARGN}: failed")
    endif()
endfunction()

file(REMOVE_RECURSE ${OUT})
file(MAKE_DIRECTORY ${OUT}/man1 ${OUT}/completions)
execute_process(COMMAND ${GND} help --commands OUTPUT_VARIABLE commands RESULT_VARIABLE status)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "${GND} help --commands: failed")
endif()
string(STRIP "${commands}" commands)
string(REPLACE "\n" ";" commands "${commands}")
write(man1/gnd.1 --man)
foreach(command ${commands})
    string(REPLACE " " "-" page "${command}")
    string(REPLACE " " ";" words "${command}")
    write(man1/gnd-${page}.1 --man ${words})
endforeach()
write(completions/gnd --completion bash)
write(completions/_gnd --completion zsh)
write(completions/gnd.fish --completion fish)
