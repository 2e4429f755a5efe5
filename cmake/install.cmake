# `cmake --install build --prefix X` makes a tree that may be moved; `cpack` in the build folder (`make package`) a .deb.
#
#   bin/lockstep
#   lib/lockstep/               the driver (two libraries: docs/dev/map.md), and the library of the virtual clock
#   share/lockstep/             machines, device library, experiments, benchmarks, examples, kernels of dissect
#   include/lockstep.h, lib/liblockstep.so*, lib/pkgconfig/lockstep.pc, lib/cmake/Lockstep/   the C API (docs/c-api.md)
#   lib/python3/dist-packages/lockstep/   the Python package (docs/python.md)
#   share/man, share/bash-completion, share/zsh   made from the program's own options
#   etc/OpenCL/vendors/         the .icd file, with the driver's path as installed; after a move, `lockstep exec` and
#                               OCL_ICD_VENDORS=X/lib/lockstep/liblockstep_opencl.so need none
include(GNUInstallDirs)
set(LOCKSTEP_LIBRARIES lib/lockstep)

install(TARGETS lockstep RUNTIME DESTINATION bin)
install(TARGETS lockstep_capi LIBRARY DESTINATION lib)
install(FILES src/capi/lockstep.h DESTINATION include)
configure_file(cmake/lockstep.pc.in ${CMAKE_BINARY_DIR}/lockstep.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/lockstep.pc DESTINATION lib/pkgconfig)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/LockstepConfigVersion.cmake VERSION ${PROJECT_VERSION} COMPATIBILITY SameMajorVersion)
install(FILES cmake/LockstepConfig.cmake ${CMAKE_BINARY_DIR}/LockstepConfigVersion.cmake DESTINATION lib/cmake/Lockstep)
install(DIRECTORY python/lockstep DESTINATION lib/python3/dist-packages PATTERN "__pycache__" EXCLUDE)
install(TARGETS lockstep_clock LIBRARY DESTINATION ${LOCKSTEP_LIBRARIES})
if(TARGET lockstep_opencl)
  install(TARGETS lockstep_opencl lockstep_driver LIBRARY DESTINATION ${LOCKSTEP_LIBRARIES})
  install(CODE "
    set(folder \"\${CMAKE_INSTALL_PREFIX}/etc/OpenCL/vendors\")
    file(WRITE \"\$ENV{DESTDIR}\${folder}/lockstep.icd\" \"\${CMAKE_INSTALL_PREFIX}/${LOCKSTEP_LIBRARIES}/liblockstep_opencl.so\\n\")
    message(STATUS \"Installing: \$ENV{DESTDIR}\${folder}/lockstep.icd\")")
endif()
foreach(folder machines devlib experiments examples dissect)
  install(DIRECTORY ${folder} DESTINATION share/lockstep PATTERN "__pycache__" EXCLUDE)
endforeach()
install(DIRECTORY ${CMAKE_BINARY_DIR}/bitcode DESTINATION share/lockstep PATTERN *.made EXCLUDE)
install(DIRECTORY bench/kernels DESTINATION share/lockstep/bench)
install(FILES README.md CHANGELOG.md DESTINATION share/doc/lockstep)
install(DIRECTORY ${CMAKE_BINARY_DIR}/manual/ DESTINATION share/man/man1 FILES_MATCHING PATTERN *.1)
install(FILES ${CMAKE_BINARY_DIR}/manual/lockstep DESTINATION share/bash-completion/completions)
install(FILES ${CMAKE_BINARY_DIR}/manual/_lockstep DESTINATION share/zsh/vendor-completions)
install(DIRECTORY docs DESTINATION share/doc/lockstep)
# The page of HTML reports has parts of npm packages in it, whose licences go with every copy.
file(READ LICENSE own_licence)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/report/page/bundle/licences.txt)
file(READ src/report/page/bundle/licences.txt page_licences)
file(WRITE ${CMAKE_BINARY_DIR}/copyright
  "${own_licence}\n\nThe page of HTML reports (src/report/page/bundle) has code of these packages in it:\n\n${page_licences}")
install(FILES ${CMAKE_BINARY_DIR}/copyright DESTINATION share/doc/lockstep)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lockstep)
set(CPACK_PACKAGE_VENDOR "The Lockstep project")
set(CPACK_PACKAGE_CONTACT "The Lockstep project <lockstep@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "GPU programs on modelled GPUs")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "Lockstep compiles OpenCL C with the open compilers of a GPU's machine code, executes that code wave by wave on a model
of the GPU, and counts the cycles. An OpenCL driver runs unmodified applications on the modelled GPU; a report says what
bounds each kernel. It needs no GPU and no vendor's development kit.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The compilers are programs that Lockstep runs, so nobody else would name them.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19, llvm-19, lld-19, rocm-device-libs, libclc-19, ocl-icd-libopencl1 | libopencl1")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/cmake/conffiles)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/cmake/system_icd.cmake)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-numpy")
include(CPack)
