# Run by CPack on the tree that becomes the package: the .icd file belongs into the system's /etc, not into /usr/etc.
if(EXISTS ${CPACK_TEMPORARY_DIRECTORY}/usr/etc)
  file(REMOVE_RECURSE ${CPACK_TEMPORARY_DIRECTORY}/usr/etc)
  file(WRITE ${CPACK_TEMPORARY_DIRECTORY}/etc/OpenCL/vendors/lockstep.icd "/usr/lib/lockstep/liblockstep_opencl.so\n")
endif()
