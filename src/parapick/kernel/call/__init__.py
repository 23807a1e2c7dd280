"""Machine code called from Python: kernels as NumPy gufuncs, scans on arrays, threads."""
