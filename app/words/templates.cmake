# Lists the templates of all Texts (core/support/text.h) in the sources: the literals after Text( or
# TextTemplate<N>(. Writes OUTPUT, a source for lupdate with one line for each.
#
#     cmake -D SOURCE_DIR=. -D OUTPUT=core_templates.cpp -P app/words/templates.cmake
file(GLOB_RECURSE sources ${SOURCE_DIR}/core/*.cpp ${SOURCE_DIR}/core/*.h ${SOURCE_DIR}/gpu/*.cpp
  ${SOURCE_DIR}/gpu/*.h ${SOURCE_DIR}/app/*.cpp ${SOURCE_DIR}/app/*.h)
list(FILTER sources EXCLUDE REGEX "/app/cli/")  # speaks English
list(SORT sources)
# These three have a meaning in CMake's lists.
string(ASCII 1 semicolon)
string(ASCII 2 open)
string(ASCII 3 close)
set(literal "\"([^\"\\\\\n]|\\\\.)*\"")
set(listed "// Made by app/words/templates.cmake.\nconst char* const kTemplates${open}${close} = {\n")
foreach(source ${sources})
  file(READ ${source} code)
  string(REPLACE ";" "${semicolon}" code "${code}")
  string(REPLACE "[" "${open}" code "${code}")
  string(REPLACE "]" "${close}" code "${code}")
  string(REGEX MATCHALL "Text(Template<[0-9]>)?[ \n]*[A-Za-z_]*[({][ \n]*${literal}([ \n]*${literal})*" found "${code}")
  foreach(text ${found})
    string(FIND "${text}" "\"" begin)
    string(SUBSTRING "${text}" ${begin} -1 text)
    string(REGEX REPLACE "\"[ \n]+\"" "" text "${text}")
    string(APPEND listed "    QT_TRANSLATE_NOOP(\"Core\", ${text}),\n")
  endforeach()
endforeach()
string(APPEND listed "}${semicolon}\n")
string(REPLACE "${semicolon}" ";" listed "${listed}")
string(REPLACE "${open}" "[" listed "${listed}")
string(REPLACE "${close}" "]" listed "${listed}")
file(WRITE ${OUTPUT} "${listed}")
