// A shared library, but no pass plugin.
extern "C" int tosaicNothing() { return 0; }
