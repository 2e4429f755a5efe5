# make            everything: the program, the OpenCL driver, the tests where their packages are installed. Installs nothing
# make demo       compile and run kernels on modelled GPUs, from nothing to a report; installs what building and running need
# make test       everything that must hold: format, layering, warnings, sanitizers, fast tests; installs the tests' packages too
# make setup      install what building and running need (packages.txt); make setup-test: what the tests need as well
# make package    build/lockstep_VERSION_ARCHITECTURE.deb
.PHONY: build demo test test-long bench package format setup setup-test clean

build:
	@scripts/setup.sh --check build run
	@scripts/build.sh release

setup:
	@scripts/setup.sh build run

setup-test:
	@scripts/setup.sh build run intel test

# Only what it shows: no tests, no driver, AMD's GPUs and their device library alone.
demo: setup
	@scripts/demo.sh

test: setup-test
	@scripts/build.sh release
	@scripts/test.sh fast

test-long: setup-test
	@scripts/build.sh release
	@scripts/test.sh long

bench: build
	@build/lockstep bench

package:
	@scripts/setup.sh build run package
	@scripts/build.sh release
	@cd build && cpack --config CPackConfig.cmake | grep -E 'generated|Error' && rm -rf _CPack_Packages

format:
	@find src tests bench -name '*.cpp' -o -name '*.h' | xargs clang-format-19 -i

clean:
	@rm -rf build build-demo build-sanitize build-tsan
