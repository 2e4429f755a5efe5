# make demo   compile and run kernels on modelled GPUs, from nothing to a report
# make test   everything that must hold: format, layering, warnings, sanitizers, fast tests
# make build  build/lockstep, without running anything
# make package  build/lockstep_VERSION_ARCHITECTURE.deb
.PHONY: build demo test test-long bench package format setup clean

build: setup
	@scripts/build.sh release

setup:
	@scripts/setup.sh

demo: build
	@scripts/demo.sh

test: build
	@scripts/test.sh fast

test-long: build
	@scripts/test.sh long

bench: build
	@build/lockstep bench

package: build
	@cd build && cpack --config CPackConfig.cmake | grep -E 'generated|Error' && rm -rf _CPack_Packages

format:
	@find src tests bench -name '*.cpp' -o -name '*.h' | xargs clang-format-19 -i

clean:
	@rm -rf build build-*
