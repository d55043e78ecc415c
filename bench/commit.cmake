# Writes OUTPUT, a header with the commit that is being built: terrane-bench prints it with its figures. Run at every build; the file
# changes only when the commit does.
execute_process(COMMAND git -C "${SOURCE_DIR}" describe --always --dirty --abbrev=12
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
    set(commit "unknown")
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "#define TERRANE_COMMIT \"${commit}\"\n")
