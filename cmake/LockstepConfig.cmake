# find_package(Lockstep) gives the target Lockstep::lockstep; the tree may have been moved.
get_filename_component(lockstep_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET Lockstep::lockstep)
  add_library(Lockstep::lockstep SHARED IMPORTED)
  set_target_properties(Lockstep::lockstep PROPERTIES
    IMPORTED_LOCATION "${lockstep_prefix}/lib/liblockstep.so.1"
    IMPORTED_SONAME "liblockstep.so.1"
    INTERFACE_INCLUDE_DIRECTORIES "${lockstep_prefix}/include")
endif()
unset(lockstep_prefix)
