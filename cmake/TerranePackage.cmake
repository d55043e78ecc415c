# terrane_package(name package minimum debian needer option): the imported target PkgConfig::TERRANE_<name>, or one sentence that
# says who needs it, what to install, and how to do without.
function(terrane_package name package minimum debian needer option)
    if(TARGET PkgConfig::TERRANE_${name})
        return()
    endif()
    find_package(PkgConfig QUIET)
    if(NOT PKG_CONFIG_FOUND)
        message(FATAL_ERROR "${needer} finds its libraries with pkg-config: install it with 'apt install pkg-config', "
            "or configure with ${option}.")
    endif()
    pkg_check_modules(TERRANE_${name} QUIET IMPORTED_TARGET GLOBAL "${package}>=${minimum}")
    if(NOT TERRANE_${name}_FOUND)
        message(FATAL_ERROR "${needer} needs ${package} ${minimum}: install it with 'apt install ${debian}', "
            "or configure with ${option}.")
    endif()
    # Not ours: its headers are compiled without our warnings.
    get_target_property(folders PkgConfig::TERRANE_${name} INTERFACE_INCLUDE_DIRECTORIES)
    if(folders)
        set_target_properties(PkgConfig::TERRANE_${name} PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${folders}")
    endif()
endfunction()

# terrane_packages(part needer NAME:module:minimum:debian...): what terrane::<part> links, in the variable `libraries`. Programs that link
# an installed static terrane::<part> need the same: TerraneInstall.cmake.
function(terrane_packages part needer)
    string(TOUPPER ${part} upper)
    set(libraries "")
    foreach(package ${ARGN})
        string(REPLACE ":" ";" words ${package})
        list(GET words 0 name)
        list(GET words 1 module)
        list(GET words 2 minimum)
        list(GET words 3 debian)
        terrane_package(${name} ${module} ${minimum} ${debian} "${needer}" -DTERRANE_BUILD_${upper}=OFF)
        list(APPEND libraries PkgConfig::TERRANE_${name})
        set_property(GLOBAL APPEND PROPERTY TERRANE_${upper}_PACKAGES ${name}:${module}:${minimum})
        set_property(GLOBAL APPEND PROPERTY TERRANE_${upper}_DEBIAN ${debian})
    endforeach()
    set(libraries ${libraries} PARENT_SCOPE)
endfunction()
